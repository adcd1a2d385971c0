// The tables against what dLocal publishes, as lists of its pages: every status and error has a meaning, and the calls and
// objects have the members of the published examples.
import { describe, expect, it } from "vitest";
import type { DlocalAccount } from "@/e2e/support/fake-dlocal/book";
import { METHODS, STATUSES } from "@/e2e/support/fake-dlocal/objects";
import { FakeDlocal } from "@/e2e/support/fake-dlocal/server";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import { withFake } from "../testing/fake";
import { json, startLocalServer } from "../testing/local-server";
import { signal } from "../testing/outcomes";
import { after, samplePayment } from "../testing/requests";
import { createDlocalGateway } from "./gateway";
import { ERRORS, PAYMENT_ROWS, PAYMENT_STATUSES, REJECTIONS, SOURCES } from "./tables";
import { configAt, OWNER } from "./testing/entry";

/** From docs.dlocal.com/reference/payment-status-codes of 2026-09-17; EXPIRED from dLocal's former documentation. */
const PUBLISHED_STATUSES = {
  PENDING: 100,
  PAID: 200,
  REJECTED: 300,
  CANCELLED: 400,
  EXPIRED: 500,
  AUTHORIZED: 600,
  VERIFIED: 700,
};
/** From docs.dlocal.com/reference/http-errors-payments of 2026-09-17; 5018 and 5021 as Wikimedia copied them from it. */
const PUBLISHED_ERRORS = `403 3001, 403 3002, 403 3003, 404 4000, 400 5000, 400 5001, 400 5002, 400 5003, 400 5004,
  400 5005, 400 5006, 400 5007, 400 5008, 400 5009, 400 5010, 400 5011, 400 5013, 400 5014, 400 5016, 400 5017, 400 5018,
  400 5021, 429 6000, 500 7000, 504 5010`.split(/,\s+/);
/** The parameters of dLocal's page "Create a payment", the required ones first. */
const PARAMETERS = {
  required: ["amount", "currency", "payment_method_flow", "country", "payer", "order_id"],
  optional: ["payment_method_id", "description", "notification_url", "callback_url"],
};
const PAYER = {
  required: ["name", "email", "document"],
  optional: ["birth_date", "phone", "document2", "user_reference", "address", "ip", "device_id"],
};
const CUSTOMER = { name: "Ana Souza", email: "ana@example.com", document: "53033315550" };
const REFERENCE = "dord_01h455vb4pex5vsknk084sn02q";

describe("dLocal's pages", () => {
  it("name no status without a meaning, and no other than the table", () => {
    const ours = Object.entries(PAYMENT_STATUSES).map(([status, { code }]) => [status, code]);
    expect(Object.fromEntries(ours)).toEqual(PUBLISHED_STATUSES);
    const fake = Object.entries(STATUSES).map(([status, [code]]) => [status, Number(code)]);
    expect(Object.fromEntries(fake)).toEqual(PUBLISHED_STATUSES);
  });

  it("name no error without a meaning, and no other than the table", () => {
    const rows = ERRORS.map(({ status, code }) => `${status} ${code}`);
    expect(rows.toSorted()).toEqual(PUBLISHED_ERRORS.toSorted());
  });

  it("name a reason for each code of a rejection from 301 to 325", () => {
    expect(Object.keys(REJECTIONS).map(Number)).toEqual(Array.from({ length: 25 }, (_, at) => 301 + at));
  });

  it("gave 5010 to a time-out and to a refusal, so it proves nothing", () => {
    const meanings = ERRORS.filter(({ code }) => code === 5010).map(({ status, meaning }) => [status, meaning]);
    expect(Object.fromEntries(meanings)).toEqual({ 400: "open", 504: "open" });
  });
});

it.each(Object.entries(PAYMENT_ROWS))(
  "%s is of the catalogue's country and currency",
  (code, { id, currency, seen }) => {
    const method = PAYMENT_METHODS.find((one) => one.code === code);
    expect(method?.currency).toBe(currency);
    expect(id === null || METHODS[method?.country ?? ""]?.[id] !== undefined).toBe(true);
    expect(seen.length).toBeGreaterThan(0);
  },
);

it("a row that is on has an id that was seen on a page of dLocal, of which the address is known", () => {
  const on = Object.values(PAYMENT_ROWS).filter(({ source }) => source !== "unverified");
  expect(on.length).toBeGreaterThan(0);
  for (const { id, seen } of on) {
    expect(id).not.toBeNull();
    expect([id, seen.filter((source) => source !== "wikimedia").length]).toEqual([id, 1]);
    for (const source of seen) expect(SOURCES[source]).toMatch(/^https:\/\//);
  }
});

describe("against the fake", () => {
  let fake: FakeDlocal;
  let account: DlocalAccount;
  withFake(FakeDlocal.start, (started) => {
    fake = started;
    account = fake.open(OWNER.login, OWNER);
  });
  const WITH_ID = Object.keys(PAYMENT_ROWS).filter((code) => PAYMENT_ROWS[code]?.id !== null);
  const gatewayOf = () => createDlocalGateway(configAt(fake.url, { unverified: true }));
  const named = (outcomes: readonly { readonly kind: string }[]) =>
    outcomes.map((one) => ("needsOperator" in one ? "operator" : one.kind));
  const request = samplePayment(5_000_000n, "CO_PSE", { customer: CUSTOMER });

  it.each(WITH_ID)("a creation by %s has all required parameters, and only documented ones", async (code) => {
    await gatewayOf().createPayment(samplePayment(5_000_000n, code, { customer: CUSTOMER }), signal);
    const body = fake.calls.find(({ method }) => method === "POST")?.body as { readonly payer: object };
    expect(Object.keys(body)).toEqual(expect.arrayContaining(PARAMETERS.required));
    expect([...PARAMETERS.required, ...PARAMETERS.optional]).toEqual(expect.arrayContaining(Object.keys(body)));
    expect(Object.keys(body.payer)).toEqual(expect.arrayContaining(PAYER.required));
    expect([...PAYER.required, ...PAYER.optional]).toEqual(expect.arrayContaining(Object.keys(body.payer)));
  });

  /** What a poll reports about a payment with this status: in time, and after the payer's time. */
  async function reported(status: string): Promise<readonly [string[], string[]]> {
    const gateway = gatewayOf();
    await gateway.createPayment(request, signal);
    account.move(REFERENCE, "PENDING");
    Object.assign(account.byOrder(REFERENCE), { status });
    const ask = async (ms: number) =>
      named(await gateway.queryPayment({ ...request, isAnswered: true }, signal, after(ms)));
    return [await ask(60_000), await ask(30 * 60_000)];
  }

  const EXPECTED: Readonly<Record<string, readonly string[][]>> = {
    PENDING: [[], []],
    PAID: [["succeeded"], ["succeeded"]],
    REJECTED: [["declined"], ["declined"]],
    CANCELLED: [["cancelled"], ["expired"]],
    EXPIRED: [["expired"], ["expired"]],
    AUTHORIZED: [["operator"], ["operator"]],
    VERIFIED: [["operator"], ["operator"]],
    PARTIALLY_PAID: [["operator"], ["operator"]],
    paid: [["operator"], ["operator"]],
    constructor: [["operator"], ["operator"]],
  };

  it.each(Object.entries(EXPECTED))(
    "a payment that is %s: in time, and after the payer's time %j",
    async (status, both) => {
      expect(await reported(status)).toEqual(both);
    },
  );

  it("every status of the table was expected above", () => {
    expect(Object.keys(EXPECTED)).toEqual(expect.arrayContaining(Object.keys(PAYMENT_STATUSES)));
  });
});

/** Objects with the members that dLocal's pages and Wikimedia's records show, with values of our own. */
const PUBLISHED = {
  creation: {
    id: "R-648-3b0f6f0e-8f4b-4a0e-9d7e-5f1c2a7d9b11",
    amount: 50000.0,
    currency: "COP",
    payment_method_id: "PC",
    payment_method_type: "BANK_TRANSFER",
    payment_method_flow: "REDIRECT",
    country: "CO",
    created_date: "2026-11-21T09:00:00.000+0000",
    status: "PENDING",
    status_detail: "The payment is pending.",
    status_code: "100",
    order_id: REFERENCE,
    notification_url: "https://merchant.example/notifications",
    redirect_url: "https://pay.dlocal.com/gmf-apm/payments/M-3b0f6f0e-8f4b-4a0e-9d7e-5f1c2a7d9b11",
  },
  poll: {
    id: "D-4-16112abb-b2c6-4799-86db-497c6bd321ac",
    amount: 50000.0,
    currency: "COP",
    payment_method_id: "PC",
    payment_method_type: "BANK_TRANSFER",
    payment_method_flow: "REDIRECT",
    country: "CO",
    created_date: "2026-11-21T09:00:00.000+0000",
    approved_date: "2026-11-21T09:01:00.000+0000",
    status: "PAID",
    status_detail: "The payment was paid.",
    status_code: "200",
    order_id: REFERENCE,
    refunds: [],
  },
};

describe("published shapes are read", () => {
  async function answered(status: number, body: unknown) {
    const server = await startLocalServer();
    server.respond = (received, response) =>
      received.path.startsWith("/payments-methods")
        ? json(200, [])(received, response)
        : json(status, body)(received, response);
    const gateway = createDlocalGateway(configAt(server.url));
    const request = samplePayment(5_000_000n, "CO_PSE", { customer: CUSTOMER });
    const known = { ...request, earlier: { providerReference: PUBLISHED.poll.id, account: OWNER.login } };
    const created = await gateway.createPayment(request, signal);
    const polled = await gateway.queryPayment(known, signal, after(60_000));
    await server.stop();
    return { created, polled };
  }

  it("of a creation", async () => {
    const { created } = await answered(200, PUBLISHED.creation);
    const nextAction = { type: "redirect_to_url", url: PUBLISHED.creation.redirect_url };
    expect(created).toMatchObject({ kind: "requires_action", nextAction, providerReference: PUBLISHED.creation.id });
  });

  it("of a poll", async () => {
    const { polled } = await answered(200, PUBLISHED.poll);
    expect(polled).toMatchObject([{ kind: "succeeded", amount: 5_000_000n, currency: "COP" }]);
  });

  it("of an error: what its row says, and nothing for one without a row", async () => {
    const error = (code: number) => ({ code, message: "User unauthorized due to cadastral situation" });
    for (const { status, code, meaning } of ERRORS) {
      const { created, polled } = await answered(status, error(code));
      const expected = { refused: "never_accepted", payer_refused: "declined" }[meaning as string] ?? "unknown";
      expect([code, created.kind]).toEqual([code, expected]);
      expect([code, polled[0]?.kind]).toEqual([code, "unknown"]);
    }
    for (const [status, code] of [
      [400, 5999],
      [404, 4001],
      [200, 5001],
      [409, 5009],
    ] as const) {
      const { created, polled } = await answered(status, error(code));
      expect([created.kind, polled[0]?.kind]).toEqual(["unknown", "unknown"]);
    }
  });

  it.each([
    null,
    [],
    "PAID",
    { ...PUBLISHED.poll, amount: "50000" },
    { ...PUBLISHED.poll, amount: -1 },
    { ...PUBLISHED.poll, id: "" },
  ])("%j is not an object of dLocal", async (body) => {
    const { created, polled } = await answered(200, body);
    expect([created.kind, polled[0]?.kind]).toEqual(["unknown", "unknown"]);
  });
});
