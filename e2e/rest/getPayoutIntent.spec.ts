// GET /payout_intents/:id (interface §4.7), by status code.
import { cancelPayout, createPayout, read } from "./calls";
import { describeMissingIntents } from "./missing-intents";
import { expect, test } from "./parties";

test.describe("200", () => {
  test("reading twice returns the same bytes while nothing changes", async ({ api }) => {
    const { id } = await createPayout(api);
    const [first, second] = [await api.get(`/payout_intents/${id}`), await api.get(`/payout_intents/${id}`)];
    expect(second.text).toBe(first.text);
  });

  test("reading confirms a cancellation", async ({ api }) => {
    const { id } = await createPayout(api);
    const cancelled = await cancelPayout(api, id, "wrong account");
    expect(await read(api, id)).toEqual(cancelled);
    expect(cancelled).toMatchObject({
      status: "cancelled",
      failure_code: "cancelled",
      failure_message: "wrong account",
    });
  });
});

describeMissingIntents("/payout_intents", (api) => createPayout(api));
