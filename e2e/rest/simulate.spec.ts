// POST /sandbox/simulate, an extension that moves test objects on demand.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import { unused } from "./bodies";
import { createPayment, createPayout, createTopup, read, refusalOf, simulate } from "./calls";
import { eventsOf } from "./database";
import { expect, test } from "./parties";

const PATH = "/sandbox/simulate";

test.describe("200", () => {
  for (const [outcome, status, failure_code] of [
    ["succeeded", "succeeded", null],
    ["declined", "failed", "provider_declined"],
    ["failed", "failed", "provider_declined"],
    ["cancelled", "failed", "cancelled"],
    ["expired", "expired", "expired"],
    ["pending", "processing", null],
  ] as const) {
    test(`${outcome} moves a payment intent to ${status}`, async ({ api, database }) => {
      const { id } = await createPayment(api);
      const moved = await simulate<PaymentIntentResource>(api, id, outcome);
      expect(moved).toMatchObject({ id, status, failure_code, next_action: null });
      expect(await read(api, id)).toEqual(moved);
      const events = status === "processing" ? [] : [{ type: `payment_intent.${status}`, failure_code }];
      expect(await eventsOf(database, id)).toMatchObject(events);
    });
  }

  for (const [outcome, status] of [
    ["funds_seen", "processing"],
    ["succeeded", "succeeded"],
    ["overpaid", "succeeded"],
    ["underpaid", "requires_payment"],
    ["declined", "failed"],
    ["expired", "expired"],
  ] as const) {
    test(`${outcome} leaves a top-up intent ${status}`, async ({ api }) => {
      const { id } = await createTopup(api);
      expect(await simulate<TopupIntentResource>(api, id, outcome)).toMatchObject({ id, status });
    });
  }

  test("a payer's action and the provider's report can follow each other", async ({ api }) => {
    const { id } = await createPayment(api);
    await simulate(api, id, "pending");
    const back = await simulate<PaymentIntentResource>(api, id, "requires_action");
    expect(back).toMatchObject({ status: "requires_action", next_action: { type: "display_qr_code" } });
  });

  test("under one Idempotency-Key a simulation happens once", async ({ api, database }) => {
    const { id } = await createPayment(api);
    const headers = { "idempotency-key": unused("key") };
    const first = await api.post(PATH, { id, outcome: "succeeded" }, { headers });
    const second = await api.post(PATH, { id, outcome: "succeeded" }, { headers });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await eventsOf(database, id)).toHaveLength(1);
  });
});

test.describe("400", () => {
  test("an outcome that its kind does not have is rejected, and nothing moves", async ({ api }) => {
    const intents = [await createPayment(api), await createTopup(api)];
    for (const intent of intents) {
      const refusal = refusalOf(await api.post(PATH, { id: intent.id, outcome: "invalid_recipient" }), 400);
      expect(refusal.code).toBe("validation_failed");
      expect(refusal.message).toMatch(/^outcome /);
      expect(await read(api, intent.id)).toEqual(intent);
    }
  });

  test("an outcome that comes too late is rejected, and the terminal intent stays", async ({ api, database }) => {
    const { id } = await createPayment(api);
    const ended = await simulate(api, id, "declined");
    for (const outcome of ["declined", "expired", "pending", "requires_action"]) {
      expect(refusalOf(await api.post(PATH, { id, outcome }), 400).message).toContain("failed");
    }
    expect(await read(api, id)).toEqual(ended);
    expect(await eventsOf(database, id)).toHaveLength(1);
  });

  test("a body without id or outcome is rejected by the missing field's name", async ({ api }) => {
    expect(refusalOf(await api.post(PATH, { outcome: "succeeded" }), 400).message).toBe("id is required");
    expect(refusalOf(await api.post(PATH, { id: "dord_x" }), 400).message).toBe("outcome is required");
  });
});

test.describe("404", () => {
  test("foreign objects are not found, and a live key finds nothing here", async ({ api, liveApi, strangerApi }) => {
    const { id } = await createPayment(api);
    const bodies = [
      await strangerApi.post(PATH, { id, outcome: "succeeded" }),
      await liveApi.post(PATH, { id, outcome: "succeeded" }),
      await api.post(PATH, { id: "dord_01h455vb4pex5vsknk084sn02q", outcome: "succeeded" }),
      await api.post(PATH, { id: "nothing", outcome: "succeeded" }),
    ];
    for (const answer of bodies) expect(refusalOf(answer, 404).code).toBe("not_found");
    expect(new Set(bodies.map(({ text }) => text)).size).toBe(1);
    expect(await read(api, id)).toMatchObject({ status: "requires_action" });
  });
});

test.describe("422", () => {
  test("a payout at the gate must first be approved by a person", async ({ api }) => {
    const { id } = await createPayout(api);
    expect(refusalOf(await api.post(PATH, { id, outcome: "succeeded" }), 422).code).toBe("approval_required");
    expect(await read(api, id)).toMatchObject({ status: "requires_approval" });
  });
});
