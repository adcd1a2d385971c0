// Refunds through the HTTP adapter: what it sends, how it reads each answer, and that callbacks are hints.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Creation, Gateway, RefundRequest } from "../gateway";
import { json, type LocalServer, startLocalServer } from "../testing/local-server";
import { CREATED_AT } from "../testing/requests";
import { createCallbackReceiver } from "./callbacks";
import type { HttpConfig } from "./config";
import { createHttpGateway } from "./gateway";

const REFERENCE = `sref_${"0".repeat(26)}`;
const open = new AbortController().signal;
const refund: Creation<RefundRequest> = {
  reference: REFERENCE,
  merchantId: "mer_1",
  environment: "live",
  createdAt: CREATED_AT,
  announcedAt: new Date(),
  amount: 1050n,
  currency: "BRL",
  payment: { reference: "dord_1", providerReference: "px_1", receiptId: null },
  subAccount: null,
};

let server: LocalServer;
let config: HttpConfig;
let gateway: Gateway;
beforeAll(async () => {
  server = await startLocalServer();
  config = {
    name: "acme",
    url: server.url,
    secret: "an example secret of 32 characters or more",
    payment_methods: "all",
    payout_currencies: "all",
    topups: [],
    environments: ["live"],
    exponents: { KRW: 2 },
    cancel: false,
    refund: true,
    protocol: 1,
    plain_http: false,
  };
  gateway = createHttpGateway(config);
});
beforeEach(() => {
  server.received.length = 0;
});
afterAll(() => server.stop());

const report = (status: string, more: object = {}) => ({
  reference: REFERENCE,
  provider_reference: "rf_1",
  status,
  ...more,
});
const SUM = { amount: "1050", currency: "BRL" };

it("is offered only by a bridge that says so", () => {
  const { createRefund, queryRefund } = createHttpGateway({ ...config, refund: false });
  expect([createRefund, queryRefund]).toEqual([undefined, undefined]);
});

it("each creation of a refund has the same body and idempotency key", async () => {
  server.respond = json(201, report("pending"));
  expect(await gateway.createRefund?.(refund, open)).toEqual({ kind: "pending", providerReference: "rf_1" });
  await gateway.createRefund?.({ ...refund, announcedAt: new Date() }, open);
  const [first, second] = server.received;
  expect(first).toMatchObject({ method: "POST", path: "/v1/refunds" });
  expect(first?.headers.get("idempotency-key")).toBe(REFERENCE);
  expect(second?.body).toBe(first?.body);
  expect(JSON.parse(first?.body ?? "")).toEqual({
    reference: REFERENCE,
    merchant_id: "mer_1",
    environment: "live",
    created_at: CREATED_AT.toISOString(),
    ...SUM,
    payment: { reference: "dord_1", provider_reference: "px_1", receipt_id: null },
  });
});

it("a sum that the bridge's units cannot express is not sent", async () => {
  const unfit = createHttpGateway({ ...config, exponents: { BRL: 1 } });
  expect(await unfit.createRefund?.({ ...refund, amount: 1051n }, open)).toMatchObject({ kind: "never_accepted" });
  expect(server.received).toEqual([]);
});

describe("answers", () => {
  it.each([
    [report("settled", SUM), { kind: "settled", amount: 1050n, currency: "BRL", providerReference: "rf_1" }],
    [report("returned", SUM), { kind: "returned", amount: 1050n, currency: "BRL", providerReference: "rf_1" }],
    [report("declined", { message: "Too old." }), { kind: "declined", message: "Too old.", providerReference: "rf_1" }],
    [report("pending"), { kind: "pending", providerReference: "rf_1" }],
  ])("a poll reads %j", async (body, outcome) => {
    server.respond = json(200, body);
    expect(await gateway.queryRefund?.(refund, open, CREATED_AT)).toEqual([outcome]);
    expect(server.received[0]).toMatchObject({ method: "GET", path: `/v1/refunds/${REFERENCE}` });
  });

  it.each([
    report("settled"),
    report("settled", { amount: "0", currency: "BRL" }),
    report("succeeded", SUM),
    report("invalid_recipient"),
    { ...report("settled", SUM), reference: "sref_other" },
    {},
  ])("%j decides nothing", async (body) => {
    server.respond = json(200, body);
    expect(await gateway.queryRefund?.(refund, open, CREATED_AT)).toMatchObject([{ kind: "unknown" }]);
    expect(await gateway.createRefund?.(refund, open)).toMatchObject({ kind: "unknown" });
  });

  it.each([
    ["declined", "declined"],
    ["not_accepted", "never_accepted"],
    ["invalid_recipient", "unknown"],
  ])("a refusal with code %s is %s", async (code, kind) => {
    server.respond = json(422, { error: { code } });
    expect(await gateway.createRefund?.(refund, open)).toMatchObject({ kind });
  });

  it("only a definite 404 means that the refund was never accepted", async () => {
    server.respond = json(404, { error: { code: "unknown_reference" } });
    expect(await gateway.queryRefund?.(refund, open, CREATED_AT)).toMatchObject([{ kind: "never_accepted" }]);
    server.respond = json(404, {});
    expect(await gateway.queryRefund?.(refund, open, CREATED_AT)).toMatchObject([{ kind: "unknown" }]);
  });
});

it("a callback about a refund is a hint, whatever it reports", () => {
  const { readCallback } = createCallbackReceiver(config);
  const body = { callback_id: "cb_1", merchant_id: "mer_1", ...report("settled", SUM) };
  expect(readCallback(JSON.stringify(body))).toEqual({ kind: "hint", merchantId: "mer_1", reference: REFERENCE });
});
