// GET /webhook_events (interface §4.6, §6): public, static, closed.
import { bodyOf } from "./calls";
import { expect, test } from "./parties";

const PATH = "/webhook_events";

interface Catalogue {
  readonly events: readonly { readonly event: string; readonly description: string; readonly payload: object }[];
}

test.describe("200", () => {
  test("the catalogue contains exactly the six events, each with its four payload fields", async ({ anonymous }) => {
    const { events } = bodyOf<Catalogue>(await anonymous.get(PATH), 200);
    const shapes = Object.fromEntries(events.map(({ event, payload }) => [event, payload]));
    const payment = { payment_intent_id: expect.stringMatching(/^dord_/) as unknown };
    const payout = { payout_intent_id: expect.stringMatching(/^word_/) as unknown };
    const ended = { failure_code: null, failure_message: null };
    const message = expect.any(String) as unknown;
    expect(shapes).toEqual({
      "payment_intent.succeeded": { ...payment, status: "succeeded", ...ended },
      "payment_intent.failed": {
        ...payment,
        status: "failed",
        failure_code: "provider_declined",
        failure_message: message,
      },
      "payment_intent.expired": { ...payment, status: "expired", failure_code: "expired", failure_message: message },
      "payout_intent.succeeded": { ...payout, status: "succeeded", ...ended },
      "payout_intent.failed": {
        ...payout,
        status: "failed",
        failure_code: "provider_declined",
        failure_message: message,
      },
      "payout_intent.cancelled": {
        ...payout,
        status: "cancelled",
        failure_code: "cancelled",
        failure_message: message,
      },
    });
    for (const { description } of events) expect(description.length).toBeGreaterThan(10);
  });

  test("credentials, good or bad, change neither the status nor a byte", async ({
    anonymous,
    api,
    withAuthorization,
  }) => {
    const expected = await anonymous.get(PATH);
    for (const answer of [await api.get(PATH), await withAuthorization("Basic !!!").get(PATH)]) {
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(expected.text);
    }
  });

  test("it may be cached by anyone, and its ETag is stable", async ({ anonymous }) => {
    const { headers } = await anonymous.get(PATH);
    expect(headers.get("cache-control")).toContain("public");
    const etag = headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await anonymous.get(PATH, { headers: { "if-none-match": known } });
      expect(again.status, known).toBe(304);
      expect(again.text).toBe("");
    }
    expect((await anonymous.get(PATH, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });
});

test.describe("405", () => {
  test("it can only be read", async ({ api }) => {
    const answer = await api.post(PATH, {});
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET");
  });
});
