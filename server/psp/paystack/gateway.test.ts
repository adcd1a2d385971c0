// The Paystack adapter against the hostile fake: what it sends, what each answer means, and that nothing is paid twice.
import { describe, expect, it } from "vitest";
import type { Account } from "@/e2e/support/fake-paystack/book";
import { FakePaystack } from "@/e2e/support/fake-paystack/server";
import { findPaymentMethod, PAYMENT_METHODS } from "@/server/domain/payment-methods";
import type { Creation, Gateway, PaymentRequest, PayoutRequest } from "../gateway";
import { withFake } from "../testing/fake";
import { kindOf, kinds, needs, signal } from "../testing/outcomes";
import { samplePayment, samplePayout } from "../testing/requests";
import { paystackConfig } from "./config";
import { createPaystackGateway } from "./gateway";
import { TRANSACTION_STATUSES, TRANSFER_STATUSES } from "./tables";

const KEY = "sk_test_0123456789abcdef0123456789abcdef01234567";
const OTHER_KEY = "sk_test_ffffffffffffffffffffffffffffffffffffffff";
const at = new Date("2026-11-24T09:00:00.000Z");

let fake: FakePaystack;
let account: Account;
let gateway: Gateway;

const withConfig = (changes: object = {}) =>
  createPaystackGateway(
    paystackConfig.parse({
      name: "paystack",
      type: "paystack",
      account: "463433",
      secret_key: KEY,
      environments: ["test"],
      payment_methods: "all",
      payout_currencies: "all",
      url: fake.url,
      ...changes,
    }),
  );

withFake(FakePaystack.start, (started) => {
  fake = started;
  account = fake.open(KEY, { integration: 463_433, domain: "test" });
  fake.open(OTHER_KEY, { integration: 99, domain: "test" });
  account.customers.push("earlier@example.com");
  gateway = withConfig();
});

const ussd = (changes: Partial<PaymentRequest> = {}) => samplePayment(105_000n, "NG_USSD", changes);
const naira = (changes: Partial<PayoutRequest> = {}): Creation<PayoutRequest> =>
  samplePayout(250_000n, {
    currency: "NGN",
    country: "NG",
    recipient: { accountNumber: "0123456789", bankCode: "058", holderName: "Ada Obi" },
    ...changes,
  });
const EARLIER = { earlier: { providerReference: null, account: "463433" } };
const create = (request = ussd()) => gateway.createPayment(request, signal);
const query = (request = ussd()) => gateway.queryPayment(request, signal, at);
const pay = (request = naira()) => gateway.createPayout(request, signal);
const queryPayout = (request = naira()) => gateway.queryPayout(request, signal, at);
const TRANSACTION = "dord-01h455vb4pex5vsknk084sn02q";
const TRANSFER = "word_01h455vb4pex5vsknk084sn02q";

describe("coverage", () => {
  it("carries four payment methods and, unless unverified rows are on, three payout currencies", () => {
    const offered = (one: Gateway) => PAYMENT_METHODS.filter((method) => one.offersPayment(method, "test"));
    expect(offered(gateway).map(({ code }) => code)).toEqual([
      "NG_BANK_TRANSFER",
      "NG_USSD",
      "KE_MPESA",
      "ZA_INSTANT_EFT",
    ]);
    const paidOut = (one: Gateway) =>
      ["NGN", "GHS", "ZAR", "KES", "BRL"].filter((code) => one.offersPayout(code, "test"));
    expect(paidOut(gateway)).toEqual(["NGN", "GHS", "ZAR"]);
    expect(paidOut(withConfig({ unverified: true }))).toEqual(["NGN", "GHS", "ZAR", "KES"]);
    const method = findPaymentMethod("NG_USSD");
    expect(method && gateway.offersPayment(method, "live")).toBe(false);
  });

  it.each([
    [{ secret_key: `sk_live_${"0".repeat(40)}` }, "must start with sk_test_"],
    [{ environments: ["live", "test"] }, "must name one environment"],
    [{ payment_methods: ["BR_PIX"] }, "NG_USSD"],
    [{ payout_currencies: ["KES"] }, "unverified"],
    [{ account: "me" }, "in digits"],
    [{ url: "http://api.paystack.co" }, "must use https"],
  ])("%j is not a valid configuration", (changes, message) => {
    expect(() => withConfig(changes)).toThrow(message);
  });
});

describe("a payment", () => {
  it("opens a page with the channel of its method, under our reference in Paystack's alphabet", async () => {
    expect(await create()).toMatchObject({
      kind: "requires_action",
      nextAction: { type: "redirect_to_url", url: expect.stringContaining("https://checkout.paystack.com/") },
    });
    expect(fake.calls.at(-1)?.body).toEqual({
      email: "ana@example.com",
      amount: 105_000,
      currency: "NGN",
      reference: TRANSACTION,
      channels: ["ussd"],
      callback_url: "https://pay.example.com/pay/dord_01h455vb4pex5vsknk084sn02q",
      metadata: { merchant_id: "mer_01h455vb4pex5vsknk084sn02q" },
    });
  });

  it("without an e-mail address is refused before sending, or goes out with the configured one", async () => {
    const anonymous = ussd({ customer: null });
    expect(await create(anonymous)).toMatchObject({
      kind: "never_accepted",
      detail: expect.stringContaining("e-mail"),
    });
    expect(fake.calls).toEqual([]);
    gateway = withConfig({ payer_email: "payments@example.com" });
    expect(await kindOf(create(anonymous))).toBe("requires_action");
    expect(fake.calls.at(-1)?.body).toMatchObject({ email: "payments@example.com" });
  });

  it("that was paid is reported with its sum, its id as receipt, and the requested sum", async () => {
    await create();
    fake.pay(account, TRANSACTION, 106_575);
    const id = account.findTransaction(TRANSACTION).id.toString();
    const requested = { amount: 105_000n, currency: "NGN" };
    const money = { amount: 106_575n, currency: "NGN", receiptId: id, providerReference: id, intended: requested };
    expect(await query()).toEqual([{ kind: "succeeded", ...money }]);
  });

  it.each(["lost_answer", "error_after", "html"] as const)(
    "executed with %s is known to the next poll and not created again",
    async (fault) => {
      fake.spoil(/POST .transaction/, fault);
      expect(await kindOf(create())).toBe("unknown");
      expect(await query()).toEqual([]);
      expect(await kindOf(create(ussd(EARLIER)))).toBe("unknown");
      expect([...account.transactions.keys()]).toEqual([TRANSACTION]);
    },
  );

  it("that never arrived is reported as never accepted, by the account that would have it", async () => {
    fake.spoil(/POST .transaction/, "lost_request");
    expect(await kindOf(create())).toBe("unknown");
    expect(kinds(await query())).toEqual(["never_accepted"]);
    gateway = withConfig({ secret_key: OTHER_KEY });
    expect(kinds(await query())).toEqual(["unknown"]);
    fake.open(OTHER_KEY, { integration: 99, domain: "test" }).customers.push("theirs@example.com");
    gateway = withConfig({ secret_key: OTHER_KEY });
    expect(await query()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
    expect(await kindOf(create())).toBe("not_sent");
  });

  it.each(["rate_limited", "error_before", "html", "lost_answer"] as const)(
    "a poll answered by %s tells nothing",
    async (fault) => {
      await create();
      fake.spoil(/GET .transaction/, fault);
      expect(kinds(await query())).toEqual(["unknown"]);
    },
  );

  it("a wrong key answers nothing, whatever it is asked", async () => {
    gateway = withConfig({ secret_key: `sk_test_${"1".repeat(40)}` });
    expect(await kindOf(create())).toBe("unknown");
    expect(kinds(await query())).toEqual(["unknown"]);
  });
});

/** From Paystack's documentation of verifying payments, and the enum of its OpenAPI document. */
const TRANSACTION_ENUM = ["abandoned", "failed", "ongoing", "pending", "processing", "queued", "reversed", "success"];
/** From Paystack's documentation of how transfers work. */
const TRANSFER_ENUM = "pending success reversed failed otp abandoned blocked rejected received".split(" ");

describe("statuses", () => {
  it("every documented status has a meaning, and the tables have no others", () => {
    expect(Object.keys(TRANSACTION_STATUSES).sort()).toEqual([...TRANSACTION_ENUM].sort());
    expect(Object.keys(TRANSFER_STATUSES).sort()).toEqual([...TRANSFER_ENUM].sort());
  });

  it.each([
    ["abandoned", []],
    ["failed", []],
    ["ongoing", []],
    ["pending", []],
    ["processing", []],
    ["queued", []],
    ["success", ["succeeded"]],
    ["reversed", ["unknown"]],
    ["brand_new", ["unknown"]],
    ["__proto__", ["unknown"]],
  ])("a transaction that is %s: %j", async (status, expected) => {
    await create();
    account.findTransaction(TRANSACTION).status = status;
    const outcomes = await query();
    expect(kinds(outcomes)).toEqual(expected);
    expect(needs(outcomes)).toEqual(expected.map((kind) => kind === "unknown"));
  });

  it.each([
    ["pending", ["pending"]],
    ["received", ["pending"]],
    ["otp", ["pending", "unknown"]],
    ["success", ["settled"]],
    ["failed", ["declined"]],
    ["abandoned", ["declined"]],
    ["blocked", ["declined"]],
    ["rejected", ["declined"]],
    ["reversed", ["returned"]],
    ["brand_new", ["unknown"]],
    ["constructor", ["unknown"]],
  ])("a transfer that is %s: %j", async (status, expected) => {
    await pay();
    account.findTransfer(TRANSFER).status = status;
    const outcomes = await queryPayout();
    expect(kinds(outcomes)).toEqual(expected);
    expect(needs(outcomes)).toEqual(expected.map((kind) => kind === "unknown"));
  });
});

describe("a payout", () => {
  it("goes to a recipient with exactly the requested account", async () => {
    expect(await pay()).toMatchObject({ kind: "pending", providerReference: expect.stringMatching(/^TRF_/) });
    const [recipient, transfer] = fake.calls.map(({ body }) => body);
    expect(recipient).toEqual({
      type: "nuban",
      name: "Ada Obi",
      account_number: "0123456789",
      bank_code: "058",
      currency: "NGN",
    });
    const code = account.recipients[0]?.code;
    expect(transfer).toEqual({
      source: "balance",
      amount: 250_000,
      currency: "NGN",
      recipient: code,
      reference: TRANSFER,
    });
  });

  it("is not sent if Paystack answers with an existing record of the account number at another bank", async () => {
    await pay();
    const other = naira({
      reference: "word_01h455vb4pex5vsknk084sn099",
      recipient: { accountNumber: "0123456789", bankCode: "044", holderName: "Someone Else" },
    });
    expect(await pay(other)).toEqual({ kind: "not_sent", detail: "Paystack answered with another recipient" });
    expect(account.executions).toEqual([TRANSFER]);
  });

  it.each(["lost_request", "lost_answer", "error_before", "error_after", "rate_limited", "html"] as const)(
    "is not sent if the call about its recipient ends in %s",
    async (fault) => {
      fake.spoil(/POST .transferrecipient/, fault);
      expect(await kindOf(pay())).toBe("not_sent");
      expect(account.executions).toEqual([]);
    },
  );

  it.each(["lost_answer", "error_after", "html"] as const)(
    "executed with %s is known to the next poll",
    async (fault) => {
      fake.spoil(/POST .transfer$/, fault);
      expect(await kindOf(pay())).toBe("unknown");
      expect(kinds(await queryPayout())).toEqual(["pending"]);
    },
  );

  it("sent again while the first call was executed is refused, and the refusal proves nothing", async () => {
    fake.spoil(/POST .transfer$/, "lost_answer");
    await pay();
    fake.spoil(/GET .transfer.verify/, "not_found");
    expect(kinds(await queryPayout())).toEqual(["never_accepted"]);
    expect(await kindOf(pay(naira(EARLIER)))).toBe("unknown");
    expect(account.executions).toEqual([TRANSFER]);
  });

  it("without enough balance is refused by its first call; a repeat leaves the outcome open", async () => {
    account.balance = 0;
    expect(await kindOf(pay())).toBe("never_accepted");
    expect(await kindOf(pay(naira(EARLIER)))).toBe("unknown");
  });

  it("not found by another account, or one that proves nothing, is not never accepted", async () => {
    fake.open(OTHER_KEY, { integration: 99, domain: "test" });
    gateway = withConfig({ secret_key: OTHER_KEY });
    expect(await queryPayout()).toMatchObject([{ kind: "unknown", detail: expect.stringContaining("not proven") }]);
    expect(await kindOf(pay())).toBe("not_sent");
    expect(await queryPayout()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
  });

  it("of the other environment is not believed", async () => {
    await pay();
    fake.open(KEY, Object.assign(account, { owner: { integration: 463_433, domain: "live" } }));
    expect(await queryPayout()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
  });

  it("whose transfer has a sum that is no exact integer is not believed", async () => {
    await pay();
    Object.assign(account.findTransfer(TRANSFER), { amount: 2500.5, status: "success" });
    expect(kinds(await queryPayout())).toEqual(["unknown"]);
    Object.assign(account.findTransfer(TRANSFER), { amount: 2 ** 60 });
    expect(kinds(await queryPayout())).toEqual(["unknown"]);
  });

  it("is not sent more than a minute after its announcement", async () => {
    const late = { ...naira(), announcedAt: new Date(Date.now() - 61_000) };
    expect(await kindOf(pay(late))).toBe("not_sent");
    expect(fake.calls).toEqual([]);
  });
});
