// What an entry of dLocal offers, and which configurations are valid.
import { expect, it } from "vitest";
import { FakeDlocal } from "@/e2e/support/fake-dlocal/server";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import type { Gateway } from "../gateway";
import { withFake } from "../testing/fake";
import { kindOf, kinds, signal } from "../testing/outcomes";
import { after, samplePayment, samplePayout, sampleTopup } from "../testing/requests";
import { createDlocalGateway } from "./gateway";
import { configAt, OWNER } from "./testing/entry";

const PAYER = { name: "Ana Souza", email: "ana@example.com", document: "53033315550" };

let fake: FakeDlocal;
let gateway: Gateway;

const withConfig = (changes: object = {}) => createDlocalGateway(configAt(fake.url, changes));
const posts = () => fake.calls.filter(({ method }) => method === "POST");

withFake(FakeDlocal.start, (started) => {
  fake = started;
  fake.open(OWNER.login, OWNER);
  gateway = withConfig();
});

const offered = (one: Gateway) =>
  PAYMENT_METHODS.filter((method) => one.offersPayment(method, "test")).map(({ code }) => code);
const VERIFIED = ["BR_PIX", "BR_BOLETO", "MX_SPEI", "MX_OXXO", "CO_PSE", "CL_WEBPAY", "PE_PAGOEFECTIVO"];

it("carries seven payment methods, and five more that are not verified, in one environment", () => {
  expect(offered(gateway)).toEqual(VERIFIED);
  const more = offered(withConfig({ unverified: true })).filter((code) => !VERIFIED.includes(code));
  expect(more).toEqual(["MX_CODI", "PE_YAPE", "AR_CVU", "IN_UPI_QR", "IN_NETBANKING"]);
  expect(PAYMENT_METHODS.some((method) => gateway.offersPayment(method, "live"))).toBe(false);
});

it("carries a method without a published id by the id that the operator names, which also counts before ours", async () => {
  const method_ids = { CO_NEQUI: "NX", CO_PSE: "EY" };
  const named = withConfig({ unverified: true, method_ids });
  expect(offered(named).filter((code) => code.startsWith("CO_"))).toEqual(["CO_PSE", "CO_NEQUI"]);
  for (const code of ["CO_NEQUI", "CO_PSE"]) {
    const reference = `dord_01h455vb4pex5vsknk084s${code.toLowerCase().replace("_", "")}`;
    await named.createPayment(samplePayment(5_000_000n, code, { customer: PAYER, reference }), signal);
  }
  const sent = posts().map(({ body }) => (body as { readonly payment_method_id: string }).payment_method_id);
  expect(sent).toEqual(["NX", "EY"]);
  expect(await kindOf(gateway.createPayment(samplePayment(5_000_000n, "CO_NEQUI", { customer: PAYER }), signal))).toBe(
    "never_accepted",
  );
});

it("demands the payer's name, e-mail address and document for every method", () => {
  for (const method of PAYMENT_METHODS) {
    expect(gateway.requiredCustomerFields?.(method)).toEqual(["name", "email", "document"]);
  }
});

it("neither pays out nor tops up, nor refunds, nor closes pages", async () => {
  expect(gateway.offersPayout("BRL", "test")).toBe(false);
  expect(gateway.createRefund ?? gateway.cancelPayment).toBeUndefined();
  expect(await gateway.quoteTopup("USDT", "BRL", "test", signal)).toBeNull();
  expect(await kindOf(gateway.createPayout(samplePayout(1n), signal))).toBe("never_accepted");
  expect(kinds(await gateway.queryPayout(samplePayout(1n), signal, after(0)))).toEqual(["never_accepted"]);
  expect(await kindOf(gateway.createTopup(sampleTopup(1n), signal))).toBe("never_accepted");
  expect(kinds(await gateway.queryTopup(sampleTopup(1n), signal, after(0)))).toEqual(["never_accepted"]);
  expect(fake.calls).toEqual([]);
});

it.each([
  [{ environments: ["live", "test"] }, "must name one environment"],
  [{ payment_methods: ["NG_USSD"] }, "CO_PSE"],
  [{ payment_methods: ["PE_YAPE"] }, "not verified"],
  [{ payout_currencies: ["BRL"] }, "or some of none"],
  [{ payment_methods: ["CO_NEQUI"], unverified: true }, "names CO_NEQUI, whose id no page shows"],
  [{ method_ids: { CO_NEQUI: "nq" } }, "must be a payment_method_id"],
  [{ method_ids: { NG_USSD: "NU" } }, "is not a method of the adapter"],
  [{ account: "x" }, "must be the X-Login"],
  [{ trans_key: undefined }, "must be a text"],
  [{ secret_key: "short" }, "at least 20"],
  [{ url: "http://sandbox.dlocal.com" }, "must use https"],
  [{ url: "https://api.dlocal.com/" }, "the host of the other environment"],
  [{ url: "https://sandbox.dlocal.com", environments: ["live"] }, "the host of the other environment"],
])("%j is not a valid configuration", (changes, message) => {
  expect(() => withConfig(changes)).toThrow(message);
});

it("asks the host of its environment unless another address is given", () => {
  const { url } = configAt("", { url: undefined });
  expect([url, configAt("", { url: undefined, environments: ["live"] }).url]).toEqual([
    "https://sandbox.dlocal.com",
    "https://api.dlocal.com",
  ]);
});
