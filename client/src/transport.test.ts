import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SluiceError } from "./errors.js";
import { Sluice } from "./sluice.js";
import { errorBody, startService } from "./testing/service.js";

const PAYMENT = {
  amount: 1050n,
  currency: "BRL",
  country: "BR",
  payment_method: "BR_PIX",
  merchant_reference: "order-1",
};
const CREATED = { status: 201, body: { id: "dord_1", amount: "1050", status: "requires_action" } };
const LONG_MS = 600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets all pauses pass; returns the result, or the error. */
async function settled<Result>(call: Promise<Result>): Promise<Result | SluiceError> {
  const outcome = call.catch((error: unknown) => {
    if (error instanceof SluiceError) return error;
    throw error;
  });
  await vi.advanceTimersByTimeAsync(LONG_MS);
  return outcome;
}

describe("a call", () => {
  it("presents the keys, sends amounts as digits and reads them as bigints", async () => {
    const { sluice, received } = startService(CREATED);
    expect(await settled(sluice.paymentIntents.create(PAYMENT))).toEqual({ ...CREATED.body, amount: 1050n });
    const [{ method, path, headers, body }] = received as [(typeof received)[number]];
    expect([method, path, headers.get("content-type")]).toEqual(["POST", "/v1/payment_intents", "application/json"]);
    expect(headers.get("authorization")).toBe(`Basic ${btoa("pk_test_a:sk_test_b")}`);
    expect(JSON.parse(body)).toEqual({ ...PAYMENT, amount: "1050" });
  });

  it.each(["http://service.test", "http://service.test/", "http://service.test/v1", "http://service.test/v1/"])(
    "goes to /v1 of the service at %s",
    async (baseUrl) => {
      const called: string[] = [];
      const answering: typeof fetch = async (input) => {
        called.push(input as string);
        return Response.json(CREATED.body);
      };
      const sluice = new Sluice({ baseUrl, publicKey: "pk_test_a", secretKey: "sk_test_b", fetch: answering });
      await settled(sluice.paymentIntents.get("dord_1"));
      expect(called).toEqual(["http://service.test/v1/payment_intents/dord_1"]);
    },
  );

  it("uses the given idempotency key; otherwise each call has its own", async () => {
    const { sluice, received } = startService(CREATED);
    await settled(sluice.paymentIntents.create(PAYMENT, { idempotencyKey: "mine" }));
    await settled(sluice.paymentIntents.create(PAYMENT));
    await settled(sluice.paymentIntents.create(PAYMENT));
    await settled(sluice.paymentIntents.get("dord_1"));
    const [mine, one, other, none] = received.map(({ headers }) => headers.get("idempotency-key"));
    expect(mine).toBe("mine");
    expect(one).toMatch(/^[0-9a-f-]{36}$/);
    expect(other).not.toBe(one);
    expect(none).toBeNull();
  });
});

describe("an attempt that fails in passing", () => {
  it.each([
    ["without an answer", "ECONNRESET"],
    ["with 503", { status: 503, headers: { "retry-after": "2" }, body: errorBody("service_unavailable") }],
    ["with 429", { status: 429, headers: { "retry-after": "1" }, body: errorBody("rate_limited") }],
    ["with 500", { status: 500, body: errorBody("internal_error") }],
    ["still running", { status: 409, headers: { "retry-after": "1" }, body: errorBody("idempotency_conflict") }],
  ])("%s is repeated under the same key", async (_, failure) => {
    const { sluice, received } = startService(failure, failure, CREATED);
    expect(await settled(sluice.paymentIntents.create(PAYMENT))).toMatchObject({ id: "dord_1" });
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ headers, body }) => headers.get("idempotency-key") + body)).size).toBe(1);
  });

  it("waits at least as long as Retry-After says", async () => {
    const busy = { status: 503, headers: { "retry-after": "20" }, body: errorBody("service_unavailable") };
    const { sluice, received } = startService(busy, CREATED);
    const call = sluice.paymentIntents.create(PAYMENT);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(received).toHaveLength(1);
    await settled(call);
    expect(received).toHaveLength(2);
  });

  it("is repeated four times, then thrown", async () => {
    const { sluice, received } = startService("ECONNREFUSED");
    const error = await settled(sluice.wallets.list());
    expect(error).toMatchObject({ code: "connection_failed", status: null, requestId: null });
    expect(error).toHaveProperty("cause.message", "ECONNREFUSED");
    expect(received).toHaveLength(5);
  });

  it("is thrown at once if the service asks for more than a minute", async () => {
    const closed = { status: 503, headers: { "retry-after": "3600" }, body: errorBody("service_unavailable") };
    const { sluice, received } = startService(closed);
    expect(await settled(sluice.wallets.list())).toMatchObject({ code: "service_unavailable", status: 503 });
    expect(received).toHaveLength(1);
  });

  it("is not repeated after the caller has aborted the call", async () => {
    const { sluice, received } = startService("ECONNREFUSED");
    const controller = new AbortController();
    const call = sluice.wallets.list({ signal: controller.signal });
    const outcome = call.catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(100);
    controller.abort(new Error("enough"));
    expect(await outcome).toEqual(new Error("enough"));
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(received).toHaveLength(1);
  });
});

it("an id cannot lead to another path", async () => {
  const { sluice, received } = startService({ body: {} });
  await settled(sluice.paymentIntents.get("../wallets?limit=1"));
  expect(received[0]?.path).toBe("/v1/payment_intents/..%2Fwallets%3Flimit%3D1");
});

describe("a rejection", () => {
  it.each([
    [400, "validation_failed"],
    [401, "unauthorized"],
    [409, "idempotency_conflict"],
    [409, "duplicate_merchant_reference"],
    [422, "insufficient_balance"],
  ])("%d %s is thrown at once, with its code, message and request", async (status, code) => {
    const { sluice, received } = startService({ status, headers: { "request-id": "req_1" }, body: errorBody(code) });
    const error = await settled(sluice.paymentIntents.create(PAYMENT));
    expect(error).toBeInstanceOf(SluiceError);
    expect(error).toMatchObject({ status, code, message: "what is wrong", requestId: "req_1" });
    expect(received).toHaveLength(1);
  });

  it.each([200, 404])("an answer %d of something that is not Sluice has no code of Sluice", async (status) => {
    const { sluice, received } = startService({ status, body: undefined });
    expect(await settled(sluice.wallets.list())).toMatchObject({ code: "unexpected_answer", status });
    expect(received).toHaveLength(1);
  });
});
