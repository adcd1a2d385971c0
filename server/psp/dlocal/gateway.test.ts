// The dLocal adapter against the hostile fake: what it sends for a payment, and what each answer means.
import { describe, expect, it } from "vitest";
import type { DlocalAccount } from "@/e2e/support/fake-dlocal/book";
import { FakeDlocal } from "@/e2e/support/fake-dlocal/server";
import type { Gateway, PaymentRequest } from "../gateway";
import { withFake } from "../testing/fake";
import { kindOf, kinds, signal } from "../testing/outcomes";
import { after, samplePayment } from "../testing/requests";
import { createDlocalGateway } from "./gateway";
import { configAt, OWNER } from "./testing/entry";

const OTHER = { login: "another-login", transKey: "fm12O7G9", secretKey: "f".repeat(40) };
const OTHER_KEYS = { account: OTHER.login, secret_key: OTHER.secretKey };

let fake: FakeDlocal;
let account: DlocalAccount;
let gateway: Gateway;

const withConfig = (changes: object = {}) => createDlocalGateway(configAt(fake.url, changes));

withFake(FakeDlocal.start, (started) => {
  fake = started;
  account = fake.open(OWNER.login, OWNER);
  fake.open(OTHER.login, OTHER);
  gateway = withConfig();
});

const REFERENCE = "dord_01h455vb4pex5vsknk084sn02q";
const PAYER = { name: "Ana Souza", email: "ana@example.com", document: "530.333.155-50" };
const pse = (changes: Partial<PaymentRequest> = {}) =>
  samplePayment(5_000_000n, "CO_PSE", { customer: PAYER, ...changes });
const earlier = (providerReference: string | null = null) => ({
  earlier: { providerReference, account: OWNER.login },
});
const create = (request = pse()) => gateway.createPayment(request, signal);
const query = (request = pse(), at = after(60_000)) => gateway.queryPayment(request, signal, at);
const posts = () => fake.calls.filter(({ method }) => method === "POST");

describe("a payment", () => {
  it("redirects to dLocal's page, by the method's id and with the payer's data", async () => {
    const { id, redirect_url: url } = await create().then(() => account.byOrder(REFERENCE));
    expect(await create(pse({ reference: `${REFERENCE.slice(0, -1)}r` }))).toMatchObject({
      kind: "requires_action",
      nextAction: { type: "redirect_to_url", expires_at: after(30 * 60_000).toISOString() },
    });
    expect(url).toBe(`https://pay.dlocal.example/gmf-apm/payments/M-${id.slice(6)}`);
    const [call] = posts();
    expect(call?.path).toBe("/payments");
    expect(call?.body).toEqual({
      amount: 50_000,
      currency: "COP",
      country: "CO",
      payment_method_id: "PC",
      payment_method_flow: "REDIRECT",
      payer: { name: "Ana Souza", email: "ana@example.com", document: "53033315550" },
      order_id: REFERENCE,
      callback_url: `https://pay.example.com/pay/${REFERENCE}`,
    });
    expect(call?.headers).toMatchObject({
      "content-type": "application/json",
      "x-idempotency-key": REFERENCE,
      "x-login": OWNER.login,
      "x-trans-key": OWNER.transKey,
      "x-version": "2.1",
      "x-date": expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      authorization: expect.stringMatching(/^V2-HMAC-SHA256, Signature: [0-9a-f]{64}$/),
    });
  });

  it.each([
    ["BR_PIX", 1_055n, 10.55],
    ["BR_BOLETO", 1_050n, 10.5],
    ["MX_SPEI", 1n, 0.01],
    ["MX_OXXO", 20_000n, 200],
    ["CL_WEBPAY", 50_000n, 50_000],
    ["PE_PAGOEFECTIVO", 99_999_999_999_999n, 999_999_999_999.99],
  ])("by %s sends %s minor units as %s", async (method, amount, sent) => {
    expect(await kindOf(create(samplePayment(amount, method, { customer: PAYER })))).toBe("requires_action");
    expect(posts()[0]?.text).toContain(`{"amount":${sent},`);
  });

  it("of pesos with cents, or of more digits than a JSON number is exact for, is refused before sending", async () => {
    expect(await kindOf(create(pse({ amount: 5_000_050n })))).toBe("never_accepted");
    expect(await kindOf(create(pse({ amount: 10n ** 18n })))).toBe("never_accepted");
    expect(fake.calls).toEqual([]);
  });

  it.each([null, { ...PAYER, name: undefined }, { ...PAYER, email: "" }, { ...PAYER, document: " . " }])(
    "of payer %j is refused before sending",
    async (customer) => {
      const outcome = await create(pse({ customer: customer as PaymentRequest["customer"] }));
      expect(outcome).toMatchObject({ kind: "never_accepted", detail: expect.stringContaining("document") });
      expect(fake.calls).toEqual([]);
    },
  );

  it("that was paid is reported with its sum and its id as receipt, by id and by reference", async () => {
    await create();
    fake.pay(account, REFERENCE);
    const { id } = account.byOrder(REFERENCE);
    const sum = { amount: 5_000_000n, currency: "COP" };
    const paid = [
      { kind: "succeeded", ...sum, receiptId: id, providerReference: id, providerCode: "200", intended: sum },
    ];
    fake.calls.length = 0;
    expect(await query()).toEqual(paid);
    expect(await query(pse({ isAnswered: true, ...earlier(id) }))).toEqual(paid);
    expect(fake.calls.map(({ path }) => path)).toEqual([`/orders/${REFERENCE}`, `/payments/${id}`, `/payments/${id}`]);
  });

  it.each(["lost_answer", "error_after", "html", "timeout"] as const)(
    "executed with %s is known to the next poll and not created again",
    async (fault) => {
      fake.spoil(/POST .payments/, fault);
      expect(await kindOf(create())).toBe("unknown");
      expect(await query()).toEqual([]);
      expect(await kindOf(create(pse(earlier())))).toBe("unknown");
      expect(account.payments).toHaveLength(1);
      fake.pay(account, REFERENCE);
      expect(kinds(await query())).toEqual(["succeeded"]);
    },
  );

  it("whose page was lost is shown again if dLocal shows it again", async () => {
    account.replaysKeys = true;
    fake.spoil(/POST .payments/, "lost_answer");
    await create();
    expect(await create(pse(earlier()))).toMatchObject({ kind: "requires_action" });
    account.showsPages = true;
    const { id, redirect_url: url } = account.byOrder(REFERENCE);
    expect(await query()).toMatchObject([
      { kind: "requires_action", nextAction: { type: "redirect_to_url", url }, providerReference: id },
    ]);
    expect(await query(pse({ isAnswered: true }))).toEqual([]);
    expect(account.payments).toHaveLength(1);
  });

  it("sent again has the same bytes and key, whenever that is", async () => {
    await create();
    await create(pse({ ...earlier(), isAnswered: true }));
    const [first, second] = posts();
    expect(second?.text).toBe(first?.text);
    expect(second?.headers["x-idempotency-key"]).toBe(first?.headers["x-idempotency-key"]);
  });

  it("that never arrived is reported as never accepted, by the account that would have it", async () => {
    fake.spoil(/POST .payments/, "lost_request");
    expect(await kindOf(create())).toBe("unknown");
    expect(kinds(await query())).toEqual(["never_accepted"]);
    fake.spoil(/payments-methods/, "error_before");
    gateway = withConfig();
    expect(await query()).toMatchObject([{ kind: "unknown", detail: expect.stringContaining("not proven") }]);
  });

  it("is not known to another account: its payments are never asked for through it", async () => {
    await create();
    const { id } = account.byOrder(REFERENCE);
    gateway = withConfig(OTHER_KEYS);
    expect(gateway.account).toBe(OTHER.login);
    expect(await query(pse(earlier(id)))).toMatchObject([{ kind: "unknown", needsOperator: true }]);
  });

  it.each(["rate_limited", "error_before", "html", "lost_answer", "no_route"] as const)(
    "a poll answered by %s tells nothing, by order or by id",
    async (fault) => {
      await create();
      const { id } = account.byOrder(REFERENCE);
      for (const path of [/GET .orders/, /GET .payments.R/]) {
        fake.spoil(path, fault);
        expect(await query()).toMatchObject([{ kind: "unknown" }]);
        expect(await query()).toEqual([]);
      }
      fake.spoil(/GET .payments.R/, fault);
      expect(await query(pse(earlier(id)))).toMatchObject([{ kind: "unknown" }]);
    },
  );

  it("that its order names but that is not found is not known, and one that was known needs a person", async () => {
    await create();
    fake.spoil(/GET .payments.R/, "not_found", "not_found");
    expect(await query()).toEqual([{ kind: "unknown", detail: "an error with status 404 and code 4000" }]);
    const { id } = account.byOrder(REFERENCE);
    expect(await query(pse(earlier(id)))).toMatchObject([{ kind: "unknown", needsOperator: true }]);
  });

  it("that is refused by validation was not accepted, unless an earlier call can have been", async () => {
    fake.spoil(/POST .payments/, "refused", "refused", "duplicated");
    expect(await kindOf(create())).toBe("never_accepted");
    expect(await kindOf(create(pse(earlier())))).toBe("unknown");
    expect(await kindOf(create())).toBe("unknown");
  });

  it("of a payer whom dLocal refuses is declined, unless an earlier call can have been accepted", async () => {
    account.blacklist.add("53033315550");
    expect(await create()).toEqual({
      kind: "declined",
      message: "dLocal refuses the payer: error 5014.",
      providerReference: null,
    });
    expect(await kindOf(create(pse(earlier())))).toBe("unknown");
  });

  it.each([{ secret_key: "1".repeat(40) }, { trans_key: "wrong" }, { account: "unknown-login" }])(
    "with %j creates nothing, and an answer proves nothing",
    async (changes) => {
      gateway = withConfig(changes);
      expect(await create()).toMatchObject({ kind: "unknown", detail: expect.stringContaining("refuses the key") });
      expect(await query()).toMatchObject([{ kind: "unknown" }]);
      expect(account.payments).toEqual([]);
    },
  );

  it("under another reference, or of a sum that is not exact, is not believed", async () => {
    await create();
    const object = account.byOrder(REFERENCE);
    Object.assign(object, { status: "PAID", amount: 50_000.005 });
    expect(await query()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
    Object.assign(object, { currency: "XXX" });
    expect(await query()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
    Object.assign(object, { order_id: "dord_01h455vb4pex5vsknk084sn02x", amount: 50_000, currency: "COP" });
    expect(await query(pse(earlier(object.id)))).toEqual([
      { kind: "unknown", detail: "a payment with another reference" },
    ]);
  });

  it.each([
    ["302", "dLocal reports 302: insufficient amount."],
    [325, "dLocal reports 325: transaction frequency limit exceeded."],
    ["399", "dLocal reports 399: the payment was rejected."],
    [null, "dLocal reports REJECTED: the payment was rejected."],
    ["toString", "dLocal reports toString: the payment was rejected."],
  ])("that was rejected with code %j is declined, with the reason for staff", async (status_code, message) => {
    await create();
    Object.assign(account.move(REFERENCE, "REJECTED"), { status_code });
    expect(await query()).toMatchObject([{ kind: "declined", message }]);
  });

  it("of another sum or currency is reported as dLocal says", async () => {
    await create();
    account.move(REFERENCE, "PAID", { amount: 20, currency: "USD" });
    expect(await query()).toMatchObject([{ kind: "succeeded", amount: 2_000n, currency: "USD" }]);
  });

  it("is not shown a page that is not safe for payers", async () => {
    await create();
    account.showsPages = true;
    for (const redirect_url of ["javascript:alert(1)", "https://user:pass@pay.dlocal.example/"]) {
      Object.assign(account.byOrder(REFERENCE), { redirect_url });
      expect(await query()).toMatchObject([{ kind: "unknown", needsOperator: true }]);
    }
  });
});
