// The HTTP adapter against a real server: what it sends, how it reads each answer, and what it rejects.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withDeadline } from "../deadline";
import type { Gateway } from "../gateway";
import { json, type LocalServer, startLocalServer } from "../testing/local-server";
import { CREATED_AT, samplePayment, samplePayout, sampleTopup } from "../testing/requests";
import type { HttpConfig } from "./config";
import { createHttpGateway } from "./gateway";
import { isSigned } from "./signature";

const SECRET = "an example secret of 32 characters or more";
const open = new AbortController().signal;

let server: LocalServer;
let gateway: Gateway;
const withConfig = (changes: Partial<HttpConfig>) =>
  createHttpGateway({
    name: "acme",
    url: `${server.url}/bridge/`,
    secret: SECRET,
    payment_methods: ["BR_PIX"],
    payout_currencies: "all",
    topups: [{ source: "USDT", destination: "BRL" }],
    environments: ["live"],
    exponents: {},
    cancel: false,
    protocol: 1,
    plain_http: false,
    ...changes,
  });

beforeAll(async () => {
  server = await startLocalServer();
  gateway = withConfig({});
});
beforeEach(() => {
  server.received.length = 0;
});
afterAll(() => server.stop());

const payment = samplePayment(1050n);
const payout = samplePayout(1050n);
const topup = sampleTopup(1050n);
const report = (reference: string, status: string, more: object = {}) => ({
  reference,
  provider_reference: "px_1",
  status,
  ...more,
});

describe("what the adapter sends", () => {
  it("is the whole payment, signed, under our reference as idempotency key", async () => {
    server.respond = json(201, report(payment.reference, "pending"));
    expect(await gateway.createPayment(payment, open)).toEqual({ kind: "pending", providerReference: "px_1" });
    const [received] = server.received;
    expect(received).toMatchObject({ method: "POST", path: "/bridge/v1/payments" });
    expect(JSON.parse(received?.body ?? "")).toEqual({
      reference: payment.reference,
      merchant_id: payment.merchantId,
      environment: "test",
      created_at: "2026-11-21T09:00:00.000Z",
      amount: "1050",
      currency: "BRL",
      country: "BR",
      payment_method: "BR_PIX",
      next_action_type: "display_qr_code",
      customer: { name: "Ana Souza", email: "ana@example.com" },
      expires_at: "2026-11-21T09:30:00.000Z",
      hosted_url: payment.hostedUrl,
    });
    expect(received?.headers.get("idempotency-key")).toBe(payment.reference);
    expect(received && isSigned(SECRET, received, received.headers, new Date())).toBe(true);
  });

  it("has the payout's account number in the creation and in no query", async () => {
    server.respond = json(200, report(payout.reference, "pending"));
    await gateway.createPayout(payout, open);
    await gateway.queryPayout(payout, open, CREATED_AT);
    const [creation, question] = server.received;
    expect(JSON.parse(creation?.body ?? "")).toHaveProperty("recipient", {
      type: "bank_account",
      account_number: "0001234567890",
      bank_code: "001",
      holder_name: "Ana Souza",
    });
    expect(question).toMatchObject({ method: "GET", path: `/bridge/v1/payouts/${payout.reference}`, body: "" });
    expect(question && isSigned(SECRET, question, question.headers, new Date())).toBe(true);
  });

  it("has both amounts of a top-up", async () => {
    server.respond = json(200, report(topup.reference, "pending"));
    await gateway.createTopup(topup, open);
    expect(JSON.parse(server.received[0]?.body ?? "")).toMatchObject({
      destination: { amount: "1050", currency: "BRL" },
      source: { amount: "18416207", currency: "USDT", network: "tron" },
    });
  });
});

describe("closing at the provider", () => {
  const pix = `/bridge/v1/payments/${payment.reference}/cancel`;

  it("is not offered unless the configuration declares it", () => {
    expect([gateway.cancelPayment, gateway.cancelTopup]).toEqual([undefined, undefined]);
  });

  it("is a signed POST below the reference, without body and without idempotency key", async () => {
    const closing = withConfig({ cancel: true });
    server.respond = json(200, report(payment.reference, "cancelled"));
    expect(await closing.cancelPayment?.(payment, open)).toEqual({ kind: "cancelled", providerReference: "px_1" });
    server.respond = json(200, report(topup.reference, "expired"));
    expect(await closing.cancelTopup?.(topup, open)).toEqual({ kind: "expired", providerReference: "px_1" });
    const topupPath = `/bridge/v1/topups/${topup.reference}/cancel`;
    expect(server.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", pix, ""],
      ["POST", topupPath, ""],
    ]);
    for (const received of server.received) {
      expect(received.headers.has("idempotency-key")).toBe(false);
      expect(isSigned(SECRET, received, received.headers, new Date())).toBe(true);
    }
  });

  it("returns the state when it is too late, and unknown without a clear answer", async () => {
    const closing = withConfig({ cancel: true });
    const sum = { amount: "1050", currency: "BRL" };
    const answers = [
      [json(200, report(payment.reference, "succeeded", sum)), { kind: "succeeded", amount: 1050n }],
      [json(200, report(payment.reference, "pending")), { kind: "pending" }],
      [json(404, { error: { code: "unknown_reference" } }), { kind: "never_accepted" }],
      [json(404, { error: { code: "not_found" } }), { kind: "unknown" }],
      [json(409, report(payment.reference, "cancelled")), { kind: "unknown" }],
      [json(500, {}), { kind: "unknown" }],
      [json(200, report("dord_other", "cancelled")), { kind: "unknown" }],
    ] as const;
    for (const [respond, outcome] of answers) {
      server.respond = respond;
      expect(await closing.cancelPayment?.(payment, open)).toMatchObject(outcome);
    }
    server.respond = (_received, response) => response.destroy();
    expect(await closing.cancelPayment?.(payment, open)).toMatchObject({ kind: "unknown" });
  });
});

describe("reports", () => {
  const sum = { amount: "1050", currency: "BRL" };
  it.each([
    ["pending", {}, { kind: "pending" }],
    ["succeeded", sum, { kind: "succeeded", amount: 1050n, currency: "BRL" }],
    [
      "declined",
      { code: "05", message: "no\u0000 funds" },
      { kind: "declined", providerCode: "05", message: "no funds" },
    ],
    ["cancelled", {}, { kind: "cancelled" }],
    ["expired", {}, { kind: "expired" }],
  ])("on a payment that is %s", async (status, more, outcome) => {
    server.respond = json(200, report(payment.reference, status, more));
    expect(await gateway.createPayment(payment, open)).toMatchObject(outcome);
    expect(await gateway.queryPayment(payment, open, CREATED_AT)).toMatchObject([outcome]);
  });

  it.each([
    ["pending", {}, { kind: "pending" }],
    ["settled", sum, { kind: "settled", amount: 1050n, currency: "BRL" }],
    ["declined", {}, { kind: "declined", message: null }],
    ["invalid_recipient", { message: "no such account" }, { kind: "invalid_recipient", message: "no such account" }],
  ])("on a payout that is %s", async (status, more, outcome) => {
    server.respond = json(202, report(payout.reference, status, more));
    expect(await gateway.createPayout(payout, open)).toMatchObject(outcome);
    expect(await gateway.queryPayout(payout, open, CREATED_AT)).toMatchObject([outcome]);
  });

  it.each([
    ["pending", {}, { kind: "pending" }],
    [
      "funds_seen",
      { amount: "7", currency: "USDT", confirmed: false },
      { kind: "funds_seen", amount: 7n, confirmed: false },
    ],
    ["declined", {}, { kind: "declined" }],
    ["expired", {}, { kind: "expired" }],
    [
      "requires_action",
      { next_action: { address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", network: "tron" } },
      { kind: "instructions", nextAction: { amount: "18416207", currency: "USDT", network: "tron" } },
    ],
  ])("on a top-up that is %s", async (status, more, outcome) => {
    server.respond = json(200, report(topup.reference, status, more));
    expect(await gateway.createTopup(topup, open)).toMatchObject(outcome);
    expect(await gateway.queryTopup(topup, open, CREATED_AT)).toMatchObject([outcome]);
  });
});

describe("instructions for payers", () => {
  const instruct = (next_action: object) => json(201, report(payment.reference, "requires_action", { next_action }));

  it("take the QR text from the provider, and pages and limits from us", async () => {
    server.respond = instruct({
      type: "display_qr_code",
      data: "000201…",
      expires_at: "2027-01-01T00:00:00Z",
      image_url_png: "https://evil",
    });
    expect(await gateway.createPayment(payment, open)).toMatchObject({
      nextAction: {
        type: "display_qr_code",
        data: "000201…",
        image_url_png: `${payment.hostedUrl}/qr.png`,
        hosted_instructions_url: payment.hostedUrl,
        expires_at: "2026-11-21T09:30:00.000Z",
      },
    });
  });

  it("end earlier if the provider's limit is earlier", async () => {
    server.respond = instruct({
      type: "redirect_to_url",
      url: "https://bank.example/x",
      expires_at: "2026-11-21T10:10:00+01:00",
    });
    expect(await gateway.createPayment(payment, open)).toMatchObject({
      nextAction: { type: "redirect_to_url", url: "https://bank.example/x", expires_at: "2026-11-21T09:10:00.000Z" },
    });
  });

  it("take the amount of a bank transfer from us", async () => {
    const account = {
      network: "SPEI",
      bank_name: "STP",
      bank_code: "646",
      account_number: "646180110400000007",
      account_holder_name: "Acme",
    };
    const spei = samplePayment(9900n, "MX_SPEI");
    server.respond = json(
      201,
      report(spei.reference, "requires_action", {
        next_action: {
          type: "display_bank_transfer_instructions",
          amount: "1",
          reference: "R1",
          financial_addresses: [account],
        },
      }),
    );
    expect(await gateway.createPayment(spei, open)).toMatchObject({
      nextAction: { amount: "9900", currency: "MXN", reference: "R1", financial_addresses: [account] },
    });
  });

  it.each([
    ["a script for an address", { type: "redirect_to_url", url: "javascript:alert(1)" }],
    ["credentials in the address", { type: "redirect_to_url", url: "https://user:pass@bank.example/" }],
    [
      "another shape than asked for",
      { type: "display_bank_transfer_instructions", reference: "R1", financial_addresses: [] },
    ],
    ["no data", { type: "display_qr_code" }],
    ["an unknown shape", { type: "dance" }],
  ])("are unknown with %s", async (_name, nextAction) => {
    server.respond = instruct(nextAction);
    expect(await gateway.createPayment(payment, open)).toMatchObject({ kind: "unknown" });
  });
});

describe("rejections", () => {
  const refuse = (status: number, code: string) =>
    json(status, { error: { code, message: "because", provider_code: "51", provider_reference: "px_9" } });

  it("are final with the protocol's codes", async () => {
    const trace = { providerReference: "px_9", providerCode: "51" };
    server.respond = refuse(422, "declined");
    expect(await gateway.createPayment(payment, open)).toEqual({ kind: "declined", message: "because", ...trace });
    expect(await gateway.createTopup(topup, open)).toEqual({ kind: "declined", message: "because", ...trace });
    server.respond = refuse(422, "invalid_recipient");
    expect(await gateway.createPayout(payout, open)).toEqual({
      kind: "invalid_recipient",
      message: "because",
      ...trace,
    });
    expect(await gateway.createPayment(payment, open)).toMatchObject({ kind: "unknown" });
    server.respond = refuse(400, "not_accepted");
    expect(await gateway.createPayout(payout, open)).toMatchObject({ kind: "never_accepted" });
  });

  it("mean that the provider never accepted the intent only in answer to a query", async () => {
    server.respond = refuse(404, "unknown_reference");
    expect(await gateway.queryPayout(payout, open, CREATED_AT)).toMatchObject([{ kind: "never_accepted" }]);
    expect(await gateway.createPayout(payout, open)).toMatchObject({ kind: "unknown" });
    server.respond = refuse(404, "not_found");
    expect(await gateway.queryPayout(payout, open, CREATED_AT)).toMatchObject([{ kind: "unknown" }]);
    server.respond = refuse(410, "unknown_reference");
    expect(await gateway.queryPayout(payout, open, CREATED_AT)).toMatchObject([{ kind: "unknown" }]);
    server.respond = refuse(422, "declined");
    expect(await gateway.queryPayout(payout, open, CREATED_AT)).toMatchObject([{ kind: "unknown" }]);
  });

  it.each([
    [401, "unauthorized"],
    [408, "declined"],
    [409, "declined"],
    [425, "not_accepted"],
    [429, "not_accepted"],
    [500, "declined"],
    [503, "not_accepted"],
  ])("leave it unknown with status %d and code %s", async (status, code) => {
    server.respond = refuse(status, code);
    expect(await gateway.createPayout(payout, open)).toMatchObject({ kind: "unknown" });
  });
});

describe("amounts in other minor units", () => {
  const isk = (amount: bigint) => samplePayout(amount, { currency: "ISK", country: "IS" });

  it("are converted both ways, exactly", async () => {
    const acme = withConfig({ exponents: { ISK: 2 } });
    server.respond = json(200, report(payout.reference, "settled", { amount: "150000", currency: "ISK" }));
    expect(await acme.createPayout(isk(1500n), open)).toMatchObject({
      kind: "settled",
      amount: 1500n,
      currency: "ISK",
    });
    expect(JSON.parse(server.received[0]?.body ?? "")).toMatchObject({ amount: "150000", currency: "ISK" });
  });

  it("are unknown when a report's cannot be expressed", async () => {
    const acme = withConfig({ exponents: { ISK: 2 } });
    server.respond = json(200, report(payout.reference, "settled", { amount: "150001", currency: "ISK" }));
    expect(await acme.createPayout(isk(1500n), open)).toMatchObject({ kind: "unknown" });
    server.respond = json(200, report(payout.reference, "settled", { amount: "1500", currency: "QQQ" }));
    expect(await acme.createPayout(isk(1500n), open)).toMatchObject({ kind: "unknown" });
  });

  it("are never sent rounded", async () => {
    const acme = withConfig({ exponents: { BRL: 0 } });
    expect(await acme.createPayout(payout, open)).toMatchObject({ kind: "never_accepted" });
    expect(server.received).toEqual([]);
    server.respond = json(200, report(payout.reference, "pending"));
    await acme.createPayout(samplePayout(1100n), open);
    expect(JSON.parse(server.received[0]?.body ?? "")).toMatchObject({ amount: "11" });
  });
});

describe("offers", () => {
  const offer = { rate: "5.430000", fee_basis_points: 10, networks: ["tron"] };
  const quoted = () => gateway.quoteTopup("USDT", "BRL", "live", open);

  it("follow the configuration", () => {
    expect(gateway.offersPayment(payment.method, "live")).toBe(true);
    expect(gateway.offersPayment(payment.method, "test")).toBe(false);
    expect(gateway.offersPayment(samplePayment(1n, "MX_SPEI").method, "live")).toBe(false);
    expect(gateway.offersPayout("IDR", "live")).toBe(true);
  });

  it("quote only the configured pairs", async () => {
    server.respond = json(200, offer);
    expect(await quoted()).toEqual({ rate: "5.430000", feeBasisPoints: 10, networks: ["tron"] });
    expect(server.received[0]?.path).toBe("/bridge/v1/topups/quote?source=USDT&destination=BRL");
    const [received] = server.received;
    expect(received && isSigned(SECRET, received, received.headers, new Date())).toBe(true);
    expect(await gateway.quoteTopup("BTC", "BRL", "live", open)).toBeNull();
    expect(await gateway.quoteTopup("USDT", "BRL", "test", open)).toBeNull();
    server.respond = json(404, { error: { code: "not_offered" } });
    expect(await quoted()).toBeNull();
  });

  it.each([
    ["a status other than 200", 503, offer],
    ["a rate of zero", 200, { ...offer, rate: "0.000000" }],
    ["a rate of five digits", 200, { ...offer, rate: "5.43000" }],
    ["a rate that is a number", 200, { ...offer, rate: 5.43 }],
    ["no networks", 200, { ...offer, networks: [] }],
    ["a fee of everything", 200, { ...offer, fee_basis_points: 10_000 }],
  ])("throw with %s", async (_name, status, body) => {
    server.respond = json(status, body);
    await expect(quoted()).rejects.toThrow("no quote");
  });
});

describe("deadlines", () => {
  it("end a call that hangs, and close its connection", async () => {
    const closed = new Promise<void>((resolve) => {
      server.respond = (_received, response) => response.on("close", resolve);
    });
    const call = (signal: AbortSignal) => gateway.createPayout(payout, signal);
    const outcome = await withDeadline(50, call, () => ({ kind: "unknown" as const, detail: "late" }));
    expect(outcome).toEqual({ kind: "unknown", detail: "late" });
    await closed;
  });
});
