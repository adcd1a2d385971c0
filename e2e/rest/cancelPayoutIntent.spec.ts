// POST /payout_intents/:id/cancel (interface §4.3), by status code.
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { OVERLAPPING } from "../support/recorded-answers";
import { bodyOf, cancelPayout, createPayment, createPayout, read, refusalOf, statusesOf, walletOf } from "./calls";
import { bookingsOf, eventsOf } from "./database";
import { expect, test } from "./parties";

const pathOf = (id: string) => `/payout_intents/${id}/cancel`;

test.describe("202", () => {
  test("the payout is cancelled with the given reason, and its one event shows it", async ({ api, database }) => {
    const { id, ...before } = await createPayout(api);
    const intent = await cancelPayout(api, id, "Paid by card instead – see ticket №7");
    expect(intent).toEqual({
      ...before,
      id,
      status: "cancelled",
      failure_code: "cancelled",
      failure_message: "Paid by card instead – see ticket №7",
      updated_at: intent.updated_at,
    });
    expect(await eventsOf(database, id)).toEqual([
      {
        type: "payout_intent.cancelled",
        environment: "test",
        status: "cancelled",
        failure_code: "cancelled",
        failure_message: "Paid by card instead – see ticket №7",
      },
    ]);
    const [audit] = await database.query<{ action: string; actor_type: string; reason: string }>(
      "SELECT action, actor_type, reason FROM audit_entry WHERE object_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
      id,
    );
    expect(audit).toEqual({
      action: "payout_intent.cancel",
      actor_type: "api_key",
      reason: "Paid by card instead – see ticket №7",
    });
  });

  test("the held amount is available again", async ({ api, database }) => {
    const before = await walletOf(api, "BRL");
    const { id } = await createPayout(api, { amount: "4200" });
    await cancelPayout(api, id);
    expect(await walletOf(api, "BRL")).toEqual(before);
    expect(await bookingsOf(database, id)).toEqual([
      "payout_hold available -4200 BRL",
      "payout_hold held 4200 BRL",
      "payout_release held -4200 BRL",
      "payout_release available 4200 BRL",
    ]);
  });

  for (const [what, body] of [
    ["no body at all", undefined],
    ["an empty object", {}],
    ["members that the interface does not know", { note: "x" }],
  ] as const) {
    test(`${what} cancels without a reason`, async ({ api }) => {
      const { id } = await createPayout(api);
      const intent = bodyOf<PayoutIntentResource>(await api.post(pathOf(id), body), 202);
      expect(intent).toMatchObject({ status: "cancelled", failure_code: "cancelled", failure_message: null });
    });
  }

  test("a reason of 512 code points is stored completely, whatever its size in bytes", async ({ api }) => {
    const { id } = await createPayout(api);
    const reason = "🧾".repeat(512);
    expect((await cancelPayout(api, id, reason)).failure_message).toBe(reason);
  });
});

test.describe("400", () => {
  for (const [what, body] of [
    ["a reason of 513 code points", { reason: "🧾".repeat(513) }],
    ["a reason that is a number", { reason: 7 }],
    ["a reason that is null", { reason: null }],
    ["a list for a body", []],
  ] as const) {
    test(`${what} is rejected, and the payout still waits`, async ({ api }) => {
      const { id } = await createPayout(api);
      expect(refusalOf(await api.post(pathOf(id), body), 400).code).toBe("validation_failed");
      expect(await read(api, id)).toMatchObject({ status: "requires_approval" });
    });
  }
});

test.describe("404", () => {
  test("absent, foreign and other-environment ids get the same bytes, and nothing changes", async ({
    api,
    liveApi,
    strangerApi,
  }) => {
    const { id } = await createPayout(api);
    const { id: payment } = await createPayment(api);
    const answers = [
      await api.post(pathOf("word_01h455vb4pex5vsknk084sn02q"), {}),
      await api.post(pathOf(payment), {}),
      await api.post(pathOf("nothing"), {}),
      await strangerApi.post(pathOf(id), {}),
      await liveApi.post(pathOf(id), {}),
    ];
    for (const answer of answers) expect(refusalOf(answer, 404).code).toBe("not_found");
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await read(api, id)).toMatchObject({ status: "requires_approval" });
  });
});

test.describe("422", () => {
  test("a cancelled payout cannot be cancelled again; the message names its status", async ({ api, database }) => {
    const { id } = await createPayout(api);
    const cancelled = await cancelPayout(api, id, "first");
    const refusal = refusalOf(await api.post(pathOf(id), { reason: "second" }), 422);
    expect(refusal.code).toBe("approval_required");
    expect(refusal.message).toContain("cancelled");
    expect(await read(api, id)).toEqual(cancelled);
    expect(await eventsOf(database, id)).toHaveLength(1);
  });
});

test.describe("concurrent", () => {
  test("20 cancels at once: one wins, one event, one release", { tag: OVERLAPPING }, async ({ api, database }) => {
    const { id } = await createPayout(api);
    const reasons = Array.from({ length: 20 }, (_, n) => `attempt ${n}`);
    const answers = await Promise.all(reasons.map((reason) => api.post(pathOf(id), { reason })));
    expect(statusesOf(answers)).toEqual([202, ...Array.from({ length: 19 }, () => 422)]);
    const won = reasons[answers.findIndex(({ status }) => status === 202)];
    expect(await read(api, id)).toMatchObject({ failure_message: won });
    expect(await eventsOf(database, id)).toMatchObject([{ failure_message: won }]);
    expect(await bookingsOf(database, id)).toHaveLength(4);
  });
});
