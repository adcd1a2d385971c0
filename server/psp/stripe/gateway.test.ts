// The Stripe adapter against the hostile fake: what it sends, what each answer means, and that nothing is collected twice.
import { describe, expect, it } from "vitest";
import type { StripeAccount } from "@/e2e/support/fake-stripe/book";
import { parseForm } from "@/e2e/support/fake-stripe/form";
import { CANCELLED } from "@/e2e/support/fake-stripe/objects";
import { FakeStripe } from "@/e2e/support/fake-stripe/server";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import type { Gateway, PaymentRequest } from "../gateway";
import { withFake } from "../testing/fake";
import { kindOf, kinds, signal } from "../testing/outcomes";
import { samplePayment } from "../testing/requests";
import { stripeConfig } from "./config";
import { createStripeGateway } from "./gateway";

const KEY = `sk_test_${"0".repeat(24)}`;
const OTHER_KEY = `sk_test_${"9".repeat(24)}`;
const ACCOUNT = "acct_1OurAccount";
const SECRET = "whsec_0123456789abcdef0123456789abcdef";
const REFERENCE = "dord_01h455vb4pex5vsknk084sn02q";

let fake: FakeStripe;
let account: StripeAccount;
let gateway: Gateway;

const withConfig = (changes: object = {}) => {
  const entry = { name: "stripe", type: "stripe", account: ACCOUNT, secret_key: KEY, environments: ["test"] };
  const lists = { payment_methods: "all", webhook_secrets: [SECRET], url: fake.url };
  return createStripeGateway(stripeConfig.parse({ ...entry, ...lists, ...changes }));
};

withFake(FakeStripe.start, (started) => {
  fake = started;
  account = fake.open(KEY, { id: ACCOUNT, livemode: false });
  fake.open(OTHER_KEY, { id: "acct_1Theirs", livemode: false });
  gateway = withConfig();
});

const createdAt = new Date();
const inMinutes = (minutes: number) => new Date(createdAt.getTime() + minutes * 60_000);
const wanted = (method = "BR_PIX", changes: Partial<PaymentRequest> = {}) =>
  samplePayment(10_500n, method, { createdAt, expiresAt: inMinutes(30), ...changes });
const over = (method = "BR_PIX") => wanted(method, { expiresAt: inMinutes(-1), isAnswered: true });
const create = (request = wanted()) => gateway.createPayment(request, signal);
const query = (request = wanted()) => gateway.queryPayment(request, signal, new Date());
const cancel = async (request = over()) => gateway.cancelPayment?.(request, signal);
const earlier = (providerReference: string | null = null) => ({ earlier: { providerReference, account: ACCOUNT } });
const newest = () => account.find(REFERENCE).intent;
const bodies = (path: string) => fake.calls.filter((call) => call.method === "POST" && call.path === path);

describe("coverage", () => {
  it("carries thirteen payment methods, UPI only if unverified rows are on, and no payouts", () => {
    const offered = (one: Gateway) => PAYMENT_METHODS.filter((method) => one.offersPayment(method, "test"));
    expect(offered(gateway)).toHaveLength(13);
    expect(offered(gateway).map(({ code }) => code)).not.toContain("IN_UPI_QR");
    expect(offered(withConfig({ unverified: true }))).toHaveLength(14);
    expect(PAYMENT_METHODS.filter((method) => gateway.offersPayment(method, "live"))).toEqual([]);
    expect(gateway.offersPayout("EUR", "test")).toBe(false);
  });

  it.each([
    [{ secret_key: `sk_live_${"0".repeat(24)}` }, "must start with sk_test_ or rk_test_"],
    [{ secret_key: `pk_test_${"0".repeat(24)}` }, "must start with sk_test_ or rk_test_"],
    [{ environments: ["live", "test"] }, "must name one environment"],
    [{ payment_methods: ["NG_USSD"] }, "BR_PIX"],
    [{ payment_methods: ["IN_UPI_QR"] }, "unverified"],
    [{ payout_currencies: ["EUR"] }, "must be"],
    [{ account: "1OurAccount" }, "acct_"],
    [{ webhook_secrets: [] }, "at least one secret"],
    [{ url: "http://api.stripe.com" }, "must use https"],
  ])("%j is not a valid configuration", (changes, message) => {
    expect(() => withConfig(changes)).toThrow(message);
  });
});

describe("a payment by code", () => {
  it("confirms a PaymentIntent under our reference as key, and shows its code", async () => {
    expect(await create()).toMatchObject({
      kind: "requires_action",
      nextAction: { type: "display_qr_code", data: "code-of-pix" },
      providerReference: expect.stringMatching(/^pi_/),
    });
    const [call] = bodies("/v1/payment_intents");
    expect(call?.headers["idempotency-key"]).toBe(REFERENCE);
    expect(call?.body).toEqual({
      amount: "10500",
      currency: "brl",
      confirm: "true",
      allowed_payment_method_types: { 0: "pix" },
      payment_method_data: { type: "pix", billing_details: { name: "Ana Souza", email: "ana@example.com" } },
      payment_method_options: { pix: { expires_at: String(Math.floor(inMinutes(30).getTime() / 1_000)) } },
      metadata: { sluice_reference: REFERENCE, sluice_merchant: "mer_01h455vb4pex5vsknk084sn02q" },
    });
  });

  it("that was paid is reported with the sum received, the requested sum and its id as receipt", async () => {
    await create();
    const { id } = fake.pay(account, REFERENCE, 10_499);
    const money = { amount: 10_499n, currency: "BRL", receiptId: id, providerReference: id };
    expect(await query()).toMatchObject([
      { kind: "succeeded", ...money, intended: { amount: 10_500n, currency: "BRL" } },
    ]);
  });

  it.each(["TH_PROMPTPAY", "SG_PAYNOW"])("of %s has the code of its scheme", async (method) => {
    const request = wanted(method);
    expect(await create(request)).toMatchObject({
      nextAction: { data: `code-of-${request.method.code.slice(3).toLowerCase()}` },
    });
  });

  it("of PromptPay without an e-mail address is refused before it is sent", async () => {
    expect(gateway.requiredCustomerFields?.(wanted("TH_PROMPTPAY").method)).toEqual(["email"]);
    expect(await kindOf(create(wanted("TH_PROMPTPAY", { customer: null })))).toBe("never_accepted");
    expect(fake.calls).toEqual([]);
  });

  it("of UPI redirects to Stripe's page, since Stripe sends no text of the code", async () => {
    gateway = withConfig({ unverified: true });
    expect(await create(wanted("IN_UPI_QR"))).toMatchObject({ nextAction: { type: "redirect_to_url" } });
  });

  it.each(["lost_answer", "error_after", "html", "stored_error"] as const)(
    "executed with %s is found in the list, and a repeat creates no second one",
    async (fault) => {
      fake.spoil(/POST .v1.payment_intents/, fault);
      expect(await kindOf(create())).toBe("unknown");
      expect(kinds(await query())).toEqual(["requires_action"]);
      await create(wanted("BR_PIX", earlier()));
      expect(account.intents).toHaveLength(1);
    },
  );

  it("is repeated with the same bytes", async () => {
    fake.spoil(/POST .v1.payment_intents/, "lost_request");
    await create();
    await create(wanted("BR_PIX", earlier()));
    const [first] = bodies("/v1/payment_intents");
    fake.spoil(/POST .v1.payment_intents/, "error_before");
    await create(wanted("BR_PIX", earlier()));
    const texts = bodies("/v1/payment_intents").map(({ text }) => text);
    expect(new Set(texts)).toEqual(new Set([first?.text]));
  });

  it("that a lagging list denies is repeated under its key: Stripe replays the first result", async () => {
    fake.spoil(/POST .v1.payment_intents/, "lost_answer");
    await create();
    fake.spoil(/GET .v1.payment_intents/, "empty_list");
    expect(kinds(await query())).toEqual(["never_accepted"]);
    expect(await kindOf(create(wanted("BR_PIX", earlier())))).toBe("requires_action");
    expect(account.intents).toHaveLength(1);
  });

  it("whose key is used for another payment is unknown", async () => {
    await create();
    expect(await kindOf(create(wanted("BR_PIX", { amount: 1n })))).toBe("unknown");
  });

  it.each([
    ["refused", "never_accepted"],
    ["key_in_use", "unknown"],
    ["rate_limited", "unknown"],
    ["error_before", "unknown"],
    ["not_found", "unknown"],
    ["declined", "unknown"],
  ] as const)("refused with %s is %s at its first call, and unknown at a repeat", async (fault, kind) => {
    fake.spoil(/POST .v1.payment_intents/, fault, fault);
    expect(await kindOf(create())).toBe(kind);
    expect(await kindOf(create(wanted("BR_PIX", earlier())))).toBe("unknown");
  });

  it("whose only try failed before it was shown is closed and declined", async () => {
    fake.spoil(/POST .v1.payment_intents$/, "declined");
    expect(await kindOf(create())).toBe("unknown");
    expect(await query()).toMatchObject([{ kind: "declined", message: "The payment attempt failed." }]);
    expect(newest()?.status).toBe(CANCELLED);
  });

  it("whose try failed after it was shown stays open: Stripe may confirm it again", async () => {
    await create();
    const intent = newest();
    if (intent) account.fail(intent);
    expect(await query(wanted("BR_PIX", { isAnswered: true, ...earlier(intent?.id) }))).toEqual([]);
    expect(newest()?.status).toBe("requires_payment_method");
  });
});

describe("a poll", () => {
  it.each(["rate_limited", "error_before", "html", "lost_answer", "no_route"] as const)(
    "answered by %s tells nothing that ends a payment",
    async (fault) => {
      await create();
      for (const request of [wanted(), wanted("BR_PIX", earlier(newest()?.id))]) {
        fake.spoil(/GET .v1.payment_intents/, fault);
        expect(kinds(await query(request))).toEqual(["unknown"]);
      }
    },
  );

  it("of a payment that never arrived is never accepted, by the account that would have it", async () => {
    fake.spoil(/POST .v1.payment_intents/, "lost_request");
    await create();
    expect(kinds(await query())).toEqual(["never_accepted"]);
    gateway = withConfig({ secret_key: OTHER_KEY });
    expect(await query()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
    expect(await kindOf(create())).toBe("not_sent");
    gateway = withConfig();
    fake.spoil(/GET .v1.account/, "error_before");
    expect(await query()).toMatchObject([{ kind: "unknown", detail: expect.stringContaining("not proven") }]);
  });

  it("of a payment of a moved test clock, which Stripe lists at another time, tells nothing", async () => {
    const request = wanted("BR_PIX", { createdAt: inMinutes(60), expiresAt: inMinutes(90) });
    await create(request);
    expect(kinds(await query(request))).toEqual(["unknown"]);
    expect(kinds(await query({ ...request, ...earlier(newest()?.id) }))).toEqual(["requires_action"]);
  });

  it("reads the list to its end", async () => {
    await create();
    const intent = account.intents.slice(0, 1);
    for (let n = 0; n < 250; n += 1) {
      account.intents.unshift(...intent.map((one) => ({ ...one, id: `pi_${n}`, metadata: {} })));
    }
    expect(kinds(await query())).toEqual(["requires_action"]);
    expect(fake.calls.filter(({ path }) => path.startsWith("/v1/payment_intents?"))).toHaveLength(3);
  });

  it("of an object that Stripe no longer has needs a person", async () => {
    expect(await query(wanted("BR_PIX", earlier("pi_gone")))).toMatchObject([{ kind: "unknown", needsOperator: true }]);
  });

  it("believes neither an object of the other environment nor one with another reference", async () => {
    await create();
    const request = wanted("BR_PIX", earlier(newest()?.id));
    Object.assign(newest() ?? {}, { livemode: true });
    expect(await query(request)).toMatchObject([{ kind: "unknown", needsOperator: true }]);
    Object.assign(newest() ?? {}, { livemode: false, metadata: { sluice_reference: "dord_other" } });
    expect(kinds(await query(request))).toEqual(["unknown"]);
  });

  it.each([0.5, -1, 2 ** 60, "10500"])("does not believe the sum %j", async (amount_received) => {
    await create();
    const intent = fake.pay(account, REFERENCE);
    Object.assign(intent, { amount_received });
    expect(kinds(await query(wanted("BR_PIX", earlier(intent.id))))).toEqual(["unknown"]);
  });
});

describe("a bank transfer", () => {
  it.each([
    ["MX_SPEI", "spei", "002180650612345670", "002"],
    ["GB_FASTER_PAYMENTS", "fps", "12345678", "200000"],
    ["DE_SEPA_TRANSFER", "sepa", "DE11243461634563456345", "EXMPDEFF"],
    ["JP_BANK_TRANSFER", "zengin", "7654321", "0001-101"],
  ])("of %s shows the account of a customer of its own", async (method, network, account_number, bank_code) => {
    expect(await create(wanted(method))).toMatchObject({
      nextAction: {
        type: "display_bank_transfer_instructions",
        amount: "10500",
        reference: "REF-1234",
        financial_addresses: [{ network, account_number, bank_code, account_holder_name: "Example Shop" }],
      },
    });
    const [customer] = bodies("/v1/customers");
    expect(customer?.headers["idempotency-key"]).toBe(`${REFERENCE}:customer`);
    expect(newest()?.customer).toBe(account.customers[0]);
  });

  it("whose customer was not created is not sent, and repeats with the same customer", async () => {
    fake.spoil(/POST .v1.customers/, "lost_answer");
    expect(await kindOf(create(wanted("MX_SPEI")))).toBe("not_sent");
    expect(account.intents).toEqual([]);
    await create(wanted("MX_SPEI"));
    expect(account.customers).toHaveLength(1);
  });

  it("of which a part has arrived waits for the rest", async () => {
    await create(wanted("MX_SPEI"));
    const intent = newest();
    if (intent) account.fund(intent, 500);
    expect(kinds(await query(wanted("MX_SPEI", { isAnswered: true })))).toEqual(["pending"]);
  });
});

describe("a payment on Stripe's page", () => {
  it.each([
    ["NL_IDEAL", "ideal", undefined],
    ["MY_FPX", "fpx", undefined],
    ["KR_KAKAOPAY", "kakao_pay", undefined],
    ["BR_BOLETO", "boleto", "3"],
    ["MX_OXXO", "oxxo", "3"],
    ["JP_KONBINI", "konbini", "3"],
  ])("of %s opens a Checkout Session", async (method, type, days) => {
    const request = wanted(method, { expiresAt: inMinutes(days ? 72 * 60 : 30) });
    expect(await create(request)).toMatchObject({
      kind: "requires_action",
      nextAction: { type: "redirect_to_url", url: expect.stringContaining("https://checkout.stripe.com/") },
      providerReference: expect.stringMatching(/^cs_/),
    });
    const [call] = bodies("/v1/checkout/sessions");
    expect(call?.body).toMatchObject({
      mode: "payment",
      allowed_payment_method_types: { 0: type },
      line_items: { 0: { quantity: "1", price_data: { unit_amount: "10500" } } },
      client_reference_id: REFERENCE,
      payment_intent_data: { metadata: { sluice_reference: REFERENCE } },
      adaptive_pricing: { enabled: "false" },
    });
    const body = parseForm(call?.text ?? "");
    expect(body.payment_method_options).toEqual(days && { [type]: { expires_after_days: days } });
  });

  it("is undecided while the payer has not paid, also with a voucher, and paid by its PaymentIntent", async () => {
    const shown = await create(wanted("BR_BOLETO"));
    const id = "providerReference" in shown ? shown.providerReference : null;
    const request = wanted("BR_BOLETO", { isAnswered: true, ...earlier(id) });
    expect(await query(request)).toEqual([]);
    fake.pay(account, REFERENCE, undefined, "requires_action");
    expect(await query(request)).toEqual([]);
    fake.pay(account, REFERENCE, undefined, "processing");
    expect(kinds(await query(request))).toEqual(["pending"]);
    const { id: receiptId } = fake.pay(account, REFERENCE);
    expect(await query(request)).toMatchObject([
      { kind: "succeeded", receiptId, providerReference: id, amount: 10_500n },
    ]);
  });

  it("that expired at Stripe without a payment has expired, also if a try was begun", async () => {
    await create(wanted("NL_IDEAL"));
    const { session } = account.find(REFERENCE);
    if (session) account.expire(session);
    expect(kinds(await query(wanted("NL_IDEAL")))).toEqual(["expired"]);
    if (session) account.cancel(account.choose(session, "requires_action"));
    Object.assign(session ?? {}, { status: "expired" });
    expect(kinds(await query(wanted("NL_IDEAL")))).toEqual(["expired"]);
  });

  it("that was paid although its page expired is paid", async () => {
    await create(wanted("NL_IDEAL"));
    fake.pay(account, REFERENCE);
    Object.assign(account.find(REFERENCE).session ?? {}, { status: "expired" });
    expect(kinds(await query(wanted("NL_IDEAL")))).toEqual(["succeeded"]);
  });

  it("whose answer was lost shows its page after the next poll", async () => {
    fake.spoil(/POST .v1.checkout/, "lost_answer");
    await create(wanted("NL_IDEAL"));
    expect(kinds(await query(wanted("NL_IDEAL")))).toEqual(["requires_action"]);
  });
});

describe("closing", () => {
  it.each(["BR_PIX", "MX_SPEI", "NL_IDEAL"])("an unpaid payment of %s expires it", async (method) => {
    await create(wanted(method));
    expect(await kindOf(cancel(over(method)))).toBe("expired");
    expect(await kindOf(cancel(over(method)))).toBe("expired");
  });

  it("a voucher cancels its PaymentIntent", async () => {
    await create(wanted("BR_BOLETO"));
    fake.pay(account, REFERENCE, undefined, "requires_action");
    expect(await kindOf(cancel(over("BR_BOLETO")))).toBe("expired");
    expect(newest()?.status).toBe(CANCELLED);
  });

  it.each(["BR_PIX", "NL_IDEAL"])("a payment of %s that was paid meanwhile is too late", async (method) => {
    await create(wanted(method));
    fake.pay(account, REFERENCE);
    expect(await kindOf(cancel(over(method)))).toBe("succeeded");
  });

  it("a payment whose bank decides keeps it pending", async () => {
    await create();
    fake.pay(account, REFERENCE, undefined, "processing");
    expect(await kindOf(cancel())).toBe("pending");
  });

  it.each(["lost_request", "lost_answer", "error_after", "rate_limited", "html"] as const)(
    "that ends in %s is unknown",
    async (fault) => {
      await create();
      fake.spoil(/cancel/, fault);
      expect(await kindOf(cancel())).toBe("unknown");
    },
  );

  it("two objects of one payment, as after a forgotten key, is over only if both are closed", async () => {
    await create();
    account.forgetKeys();
    const { intent } = account.find(REFERENCE);
    await create(wanted("BR_PIX", earlier()));
    Object.assign(intent ?? {}, { status: "processing" });
    expect(await kindOf(cancel())).toBe("pending");
    Object.assign(intent ?? {}, { status: "requires_action" });
    expect(await kindOf(cancel())).toBe("expired");
    expect(account.intents.map(({ status }) => status)).toEqual([CANCELLED, CANCELLED]);
  });

  it("a payment that Stripe never had is never accepted", async () => {
    expect(await kindOf(cancel())).toBe("never_accepted");
  });

  it("by a person before the end of the window cancels it", async () => {
    await create();
    const intent = newest();
    if (intent) account.cancel(intent);
    expect(kinds(await query())).toEqual(["cancelled"]);
  });
});

it("offers neither payouts nor top-ups", async () => {
  expect(await kindOf(gateway.createPayout({} as never, signal))).toBe("never_accepted");
  expect(await gateway.quoteTopup("USDT", "EUR", "test", signal)).toBeNull();
});
