// dLocal's notifications: signatures, and what a body tells.
import { describe, expect, it } from "vitest";
import { signed } from "@/e2e/support/fake-dlocal/signature";
import { createDlocalReceiver } from "./callbacks";
import { OWNER } from "./testing/entry";

const OLD = { ...OWNER, secretKey: "an-earlier-secret-0123456789" };
const receiver = createDlocalReceiver({
  account: OWNER.login,
  secret_key: OWNER.secretKey,
  webhook_secrets: [OLD.secretKey],
});
const PAYMENT = "dord_01h455vb4pex5vsknk084sn02q";
const DATE = "2026-11-26T09:00:00.000Z";
/** As dLocal's page about notifications shows one. */
const BODY = JSON.stringify({
  id: "D-4-be8eda8c-5fe7-49dd-8058-4ddaac00611b",
  amount: 72.0,
  status: "PAID",
  status_detail: "The payment was paid.",
  status_code: "200",
  currency: "USD",
  country: "AR",
  payment_method_id: "RP",
  payment_method_type: "TICKET",
  payment_method_flow: "REDIRECT",
  payer: { name: "Nino Deicas", user_reference: "US-jmh3gb4kj5h34", email: "buyer@example.com" },
  order_id: PAYMENT,
});

function verify(headers: Readonly<Record<string, string>>, body = BODY) {
  return receiver.verifyCallback(new Headers(headers), body, new Date());
}
const headersOf = (owner = OWNER, body = BODY, date = DATE) => ({
  "x-date": date,
  authorization: signed(owner, date, body),
});

describe("a signature", () => {
  it.each([OWNER, OLD])("under a configured key is accepted, whatever its date", (owner) => {
    expect(verify(headersOf(owner))).toEqual({ callbackId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
    expect(verify(headersOf(owner, BODY, "2020-01-01T00:00:00.000+0000"))).not.toBeNull();
  });

  it("names equal bodies alike, so that dLocal's repeats are one callback", () => {
    expect(verify(headersOf())).toEqual(verify(headersOf(OWNER, BODY, "2026-11-26T10:00:00.000Z")));
  });

  const { authorization } = headersOf();
  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ["none", { "x-date": DATE }],
    ["one without its date", { authorization }],
    ["one of another date", { authorization, "x-date": "2026-11-26T09:00:00.001Z" }],
    ["one under another key", headersOf({ ...OWNER, secretKey: "x".repeat(32) })],
    ["one of another account", headersOf({ ...OWNER, login: "another" })],
    ["one of another body", headersOf(OWNER, `${BODY} `)],
    ["one without its scheme", { "x-date": DATE, authorization: authorization.slice(-64) }],
    ["one in capitals", { "x-date": DATE, authorization: authorization.toUpperCase() }],
    ["a cut one", { "x-date": DATE, authorization: authorization.slice(0, -1) }],
    ["two", { "x-date": DATE, authorization: `${authorization}, ${authorization}` }],
    ["an empty one", { "x-date": "", authorization: "" }],
  ])("%s is rejected", (_what, headers) => {
    expect(verify(headers)).toBeNull();
  });
});

describe("a body", () => {
  const read = (body: object) => receiver.readCallback(JSON.stringify(body));

  it("about a payment of ours is only a hint to poll, whatever it says", () => {
    const hint = { kind: "hint", merchantId: null, reference: PAYMENT };
    expect(receiver.readCallback(BODY)).toEqual(hint);
    expect(read({ id: "D-4-1", order_id: PAYMENT, status: { paid: true }, amount: "1e999" })).toEqual(hint);
    expect(read({ id: "D-4-1", order_id: PAYMENT, payment_id: null })).toEqual(hint);
  });

  it.each([{ order_id: "order-7" }, { order_id: { dord: 1 } }, {}])("%j is about nothing of ours", (members) => {
    expect(read({ id: "D-4-1", status: "PAID", ...members })).toMatchObject({ kind: "irrelevant" });
  });

  it.each([
    [{ id: "REF42342", payment_id: "PAY245235", status: "SUCCESS", amount_refunded: 100 }, null],
    [{ id: "CHAR42342", payment_id: "PAY245235", status: "COMPLETED", order_id: PAYMENT }, PAYMENT],
  ])("%j, of money that leaves, needs a person", (body, reference) => {
    expect(read(body)).toMatchObject({ kind: "unreadable", reference });
  });

  it.each(["", "[]", "null", "7", '{"order_id":"x"}', '{"id":7}', '{"infraction":{},"transaction":{}}', "{"])(
    "%j is unreadable",
    (body) => {
      expect(receiver.readCallback(body).kind).toBe("unreadable");
    },
  );
});

describe("what is stored for good", () => {
  const stored = (body: string) => receiver.storedBody?.(body) ?? "";

  it("is the notification without its payer, and reads the same", () => {
    const { payer, ...rest } = JSON.parse(BODY) as { readonly payer: object };
    expect(payer).toMatchObject({ email: "buyer@example.com" });
    expect(JSON.parse(stored(BODY))).toEqual(rest);
    expect(receiver.readCallback(stored(BODY))).toEqual(receiver.readCallback(BODY));
    expect(stored(BODY)).toBe(stored(BODY));
  });

  it.each(["payer", "card", "wallet", "bank_transfer", "bank_account", "beneficiary", "additional_risk_data"])(
    "has no %s",
    (member) =>
      expect(stored(JSON.stringify({ id: "D-1", [member]: { document: "53033315550" } }))).toBe('{"id":"D-1"}'),
  );

  it.each(["payer=53033315550", "[]", "null", '"payer"', '{"id":"D-1"}'])("is as received for %s", (body) =>
    expect(stored(body)).toBe(body),
  );
});
