// The Xendit adapter against the hostile fake: what it offers, what it sends for a payment, and what each answer means.
import { describe, expect, it } from "vitest";
import type { XenditAccount } from "@/e2e/support/fake-xendit/book";
import { FakeXendit } from "@/e2e/support/fake-xendit/server";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import type { Gateway, PaymentRequest } from "../gateway";
import { withFake } from "../testing/fake";
import { kindOf, kinds, signal } from "../testing/outcomes";
import { after, samplePayment } from "../testing/requests";
import { createXenditGateway } from "./gateway";
import { BUSINESS, configAt, KEY } from "./testing/entry";

const OTHER_KEY = `xnd_development_${"f".repeat(40)}`;
const OTHER_BUSINESS = "6018306aa16ad90cb3c43ba7";
const at = new Date("2026-11-24T09:00:00.000Z");

let fake: FakeXendit;
let account: XenditAccount;
let gateway: Gateway;

const withConfig = (changes: object = {}) => createXenditGateway(configAt(fake.url, changes));

withFake(FakeXendit.start, (started) => {
  fake = started;
  account = fake.open(KEY, { business_id: BUSINESS });
  fake.open(OTHER_KEY, { business_id: OTHER_BUSINESS });
  gateway = withConfig();
});

const REFERENCE = "dord_01h455vb4pex5vsknk084sn02q";
const qris = (changes: Partial<PaymentRequest> = {}) => samplePayment(1_050_000n, "ID_QRIS", changes);
const earlier = (providerReference: string | null = null) => ({ earlier: { providerReference, account: BUSINESS } });
const create = (request = qris()) => gateway.createPayment(request, signal);
const query = (request = qris()) => gateway.queryPayment(request, signal, at);
const posts = () => fake.calls.filter(({ method }) => method === "POST");

describe("coverage", () => {
  it("carries eight payment methods and five payout currencies, in one environment", () => {
    const offered = PAYMENT_METHODS.filter((method) => gateway.offersPayment(method, "test"));
    expect(offered.map(({ code }) => code)).toEqual([
      "ID_QRIS",
      "ID_BCA_VA",
      "ID_DANA",
      "PH_QRPH",
      "PH_GCASH",
      "TH_PROMPTPAY",
      "TH_TRUEMONEY",
      "VN_MOMO",
    ]);
    const currencies = ["IDR", "PHP", "VND", "THB", "MYR", "SGD"];
    expect(currencies.filter((code) => gateway.offersPayout(code, "test"))).toEqual(currencies.slice(0, 5));
    expect(PAYMENT_METHODS.some((method) => gateway.offersPayment(method, "live"))).toBe(false);
    expect(gateway.offersPayout("IDR", "live")).toBe(false);
    expect(gateway.createRefund).toBeUndefined();
  });

  it.each([
    [{ environments: ["live"] }, "must start with xnd_production_"],
    [{ secret_key: `xnd_production_${"0".repeat(40)}` }, "must start with xnd_development_"],
    [{ secret_key: `xnd_public_development_${"0".repeat(40)}` }, "must start with xnd_development_"],
    [{ environments: ["live", "test"] }, "must name one environment"],
    [{ payment_methods: ["ID_OVO"] }, "ID_QRIS"],
    [{ payout_currencies: ["SGD"] }, "IDR"],
    [{ account: "me" }, "24 of 0-9"],
    [{ webhook_tokens: [] }, "at least one token"],
    [{ url: "http://api.xendit.co" }, "must use https"],
  ])("%j is not a valid configuration", (changes, message) => {
    expect(() => withConfig(changes)).toThrow(message);
  });
});

describe("a payment", () => {
  it("by code shows Xendit's code until the earlier of both ends", async () => {
    const outcome = await create();
    const { payment_method: method } = account.payment(REFERENCE) as unknown as {
      readonly payment_method: { readonly qr_code: { readonly channel_properties: { readonly qr_string: string } } };
    };
    expect(outcome).toMatchObject({
      kind: "requires_action",
      nextAction: {
        type: "display_qr_code",
        data: method.qr_code.channel_properties.qr_string,
        expires_at: after(30 * 60_000).toISOString(),
      },
      providerReference: account.payment(REFERENCE).id,
    });
    expect(posts()[0]?.headers["idempotency-key"]).toBe(REFERENCE);
    expect(posts()[0]?.body).toEqual({
      reference_id: REFERENCE,
      amount: 10_500,
      currency: "IDR",
      payment_method: {
        type: "QR_CODE",
        reusability: "ONE_TIME_USE",
        qr_code: {
          channel_code: "QRIS",
          channel_properties: { expires_at: after(30 * 60_000).toISOString() },
        },
      },
      metadata: { sluice_reference: REFERENCE, sluice_merchant: "mer_01h455vb4pex5vsknk084sn02q" },
    });
  });

  it("by virtual account shows its number, in the name of the payer or the configured one", async () => {
    const account_number = expect.stringMatching(/^38165\d+$/);
    const holder = (account_holder_name: string) => ({
      nextAction: {
        type: "display_bank_transfer_instructions",
        amount: "1050000",
        currency: "IDR",
        reference: account_number,
        financial_addresses: [
          { network: "BCA_VA", bank_name: "Bank Central Asia", bank_code: "014", account_number, account_holder_name },
        ],
      },
    });
    expect(await create(samplePayment(1_050_000n, "ID_BCA_VA"))).toMatchObject(holder("Ana Souza"));
    const anonymous = samplePayment(1_050_000n, "ID_BCA_VA", {
      customer: null,
      reference: `${REFERENCE.slice(0, -1)}r`,
    });
    expect(await create(anonymous)).toMatchObject({ kind: "never_accepted", detail: expect.stringContaining("name") });
    expect(posts()).toHaveLength(1);
    gateway = withConfig({ payer_name: "Example Shop" });
    expect(await create(anonymous)).toMatchObject(holder("Example Shop"));
  });

  it.each(["ID_DANA", "PH_GCASH", "TH_TRUEMONEY", "VN_MOMO"])(
    "by the wallet of %s redirects to its page for browsers, not for apps",
    async (method) => {
      const url = expect.stringMatching(/^https:\/\/checkout\.example\/pr-/);
      const outcome = await create(samplePayment(1_050_000n, method));
      expect(outcome).toMatchObject({ kind: "requires_action", nextAction: { type: "redirect_to_url", url } });
    },
  );

  it("of rupiah with cents, or of more digits than a JSON number is exact for, is refused before sending", async () => {
    expect(await kindOf(create(qris({ amount: 1_050_050n })))).toBe("never_accepted");
    expect(await kindOf(create(qris({ amount: 10n ** 18n })))).toBe("never_accepted");
    expect(await kindOf(create(samplePayment(1_055n, "TH_PROMPTPAY")))).toBe("requires_action");
    expect(posts().map(({ body }) => (body as { readonly amount: number }).amount)).toEqual([10.55]);
  });

  it("demands the payer's name only for virtual accounts", () => {
    const needed = (one: Gateway) =>
      PAYMENT_METHODS.filter((method) => (one.requiredCustomerFields?.(method) ?? []).length > 0).map(
        ({ code }) => code,
      );
    expect(needed(gateway)).toEqual(["ID_BCA_VA"]);
    expect(needed(withConfig({ payer_name: "Example Shop" }))).toEqual([]);
  });

  it("that was paid is reported with its sum and its id as receipt, by id and by reference", async () => {
    await create();
    fake.pay(account, REFERENCE);
    const { id } = account.payment(REFERENCE);
    const sum = { amount: 1_050_000n, currency: "IDR" };
    const paid = [
      { kind: "succeeded", ...sum, receiptId: id, providerReference: id, providerCode: "SUCCEEDED", intended: sum },
    ];
    expect(await query()).toEqual(paid);
    expect(await query(qris({ isAnswered: true, ...earlier(id) }))).toEqual(paid);
    expect(fake.calls.slice(-2).map(({ path }) => path)).toEqual([
      `/payment_requests?reference_id=${REFERENCE}&limit=10`,
      `/payment_requests/${id}`,
    ]);
  });

  it.each(["lost_answer", "error_after", "html"] as const)(
    "executed with %s is found by the next poll, and a repeat gets the first result",
    async (fault) => {
      fake.spoil(/POST .payment_requests/, fault);
      expect(await kindOf(create())).toBe("unknown");
      expect(kinds(await query())).toEqual(["requires_action"]);
      const again = await create(qris(earlier()));
      expect(again).toMatchObject({ kind: "requires_action", providerReference: account.payment(REFERENCE).id });
      expect(account.requests).toHaveLength(1);
    },
  );

  it("sent again has the same bytes, whenever that is", async () => {
    await create();
    await create(qris({ ...earlier(), isAnswered: true }));
    const [first, second] = posts();
    expect(second?.text).toBe(first?.text);
  });

  it("that never arrived is reported as never accepted, by the account that would have it", async () => {
    fake.spoil(/POST .payment_requests/, "lost_request");
    expect(await kindOf(create())).toBe("unknown");
    expect(kinds(await query())).toEqual(["never_accepted"]);
    gateway = withConfig({ secret_key: OTHER_KEY });
    expect(await query()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
    expect(await kindOf(create())).toBe("not_sent");
    fake.open(OTHER_KEY, { business_id: OTHER_BUSINESS }).transactions = 0;
    gateway = withConfig({ secret_key: OTHER_KEY });
    expect(await query()).toMatchObject([{ kind: "unknown", detail: expect.stringContaining("not proven") }]);
  });

  it.each(["rate_limited", "error_before", "html", "lost_answer", "unfiltered", "partial", "no_route"] as const)(
    "a poll answered by %s tells nothing",
    async (fault) => {
      await create(qris({ reference: `${REFERENCE.slice(0, -1)}r` }));
      fake.spoil(/GET .payment_requests.reference/, fault);
      expect(await query()).toMatchObject([{ kind: "unknown" }]);
      expect((await query())[0]?.kind).toBe("never_accepted");
    },
  );

  it("whose id Xendit no longer knows needs a person, and an unknown address does not", async () => {
    const known = qris(earlier("pr-gone"));
    expect(await query(known)).toMatchObject([{ kind: "unknown", needsOperator: true }]);
    fake.spoil(/GET .payment_requests.pr/, "no_route");
    expect(await query(known)).toEqual([{ kind: "unknown", detail: "an error with status 404 and code NOT_FOUND" }]);
  });

  it("that is refused by validation was not accepted, unless an earlier call can have been", async () => {
    fake.spoil(/POST .payment_requests/, "refused", "refused", "duplicate");
    expect(await kindOf(create())).toBe("never_accepted");
    expect(await kindOf(create(qris(earlier())))).toBe("unknown");
    expect(await kindOf(create())).toBe("unknown");
  });

  it("a wrong key answers nothing, whatever it is asked", async () => {
    gateway = withConfig({ secret_key: `xnd_development_${"1".repeat(40)}` });
    expect(await kindOf(create())).toBe("unknown");
    expect(kinds(await query())).toEqual(["unknown"]);
  });

  it("under whose reference Xendit has two objects is read as both, the oldest first", async () => {
    await create();
    account.forgetKeys();
    await create(qris(earlier()));
    fake.pay(account, REFERENCE);
    const [second, first] = account.requests;
    Object.assign(first ?? {}, { created: "2026-11-24T08:00:00.000Z" });
    expect(await query()).toMatchObject([
      { kind: "requires_action", providerReference: first?.id },
      { kind: "succeeded", providerReference: second?.id },
    ]);
  });

  it("of another business, or of a sum that is not exact, is not believed", async () => {
    await create();
    const object = account.payment(REFERENCE);
    Object.assign(object, { status: "SUCCEEDED", amount: 10_500.005 });
    expect(await query()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
    Object.assign(object, { amount: 10_500, business_id: OTHER_BUSINESS });
    expect(await query()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
  });

  it("is not shown a page that is not safe for payers", async () => {
    await create(samplePayment(1_050_000n, "ID_DANA"));
    const object = account.payment(REFERENCE);
    for (const url of ["javascript:alert(1)", "https://user:pass@checkout.example/"]) {
      object.actions = [{ action: "AUTH", url_type: "WEB", method: "GET", url, qr_code: null }];
      expect(await query(samplePayment(1_050_000n, "ID_DANA"))).toMatchObject([
        { kind: "unknown", needsOperator: true },
      ]);
    }
  });
});
