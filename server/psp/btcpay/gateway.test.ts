// The BTCPay adapter against the hostile fake: what it offers, quotes and creates, and that no payment counts twice.
import { describe, expect, it } from "vitest";
import { BtcpayStore } from "@/e2e/support/fake-btcpay/book";
import { FakeBtcpay } from "@/e2e/support/fake-btcpay/server";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import type { Gateway, TopupRequest } from "../gateway";
import { withFake } from "../testing/fake";
import { kindOf, kinds, needs, signal } from "../testing/outcomes";
import { after, samplePayment, samplePayout, sampleTopup } from "../testing/requests";
import { createBtcpayGateway } from "./gateway";
import { configAt, KEY, STORE } from "./testing/entry";

const OTHER_KEY = "cd".repeat(20);
const OTHER_STORE = "AAAACiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K";
const REFERENCE = "tuin_01h455vb4pex5vsknk084sn02q";
const at = new Date();

let fake: FakeBtcpay;
let store: BtcpayStore;
let gateway: Gateway;

const withConfig = (changes: object = {}) => createBtcpayGateway(configAt(fake.url, changes));

withFake(FakeBtcpay.start, (started) => {
  fake = started;
  store = fake.open(KEY, { storeId: STORE });
  fake.open(OTHER_KEY, { storeId: OTHER_STORE });
  gateway = withConfig();
});

const bitcoin = (changes: Partial<TopupRequest> = {}) =>
  sampleTopup(100_000n, { sourceAmount: 1_552_985n, sourceCurrency: "BTC", network: "bitcoin", ...changes });
const tether = (changes: Partial<TopupRequest> = {}) => sampleTopup(100_000n, { network: "liquid", ...changes });
const earlier = (providerReference: string | null = null) => ({ earlier: { providerReference, account: STORE } });
const create = (request = bitcoin()) => gateway.createTopup(request, signal);
const query = (request = bitcoin()) => gateway.queryTopup(request, signal, at);
const posts = () => fake.calls.filter(({ method }) => method === "POST");
const shown = (outcomes: readonly object[]) =>
  outcomes.map((one) => {
    const { kind, amount, confirmed } = one as { kind: string; amount?: bigint; confirmed?: boolean };
    return [kind, ...(amount === undefined ? [] : [amount]), ...(confirmed === undefined ? [] : [confirmed])];
  });
const ours = () => store.find(REFERENCE);

describe("coverage", () => {
  it("is top-ups only", async () => {
    expect(PAYMENT_METHODS.some((method) => gateway.offersPayment(method, "test"))).toBe(false);
    expect(gateway.offersPayout("EUR", "test")).toBe(false);
    expect(gateway.cancelTopup).toBeUndefined();
    const payment = { ...samplePayment(100n), announcedAt: at };
    expect(await kindOf(gateway.createPayment(payment, signal))).toBe("never_accepted");
    expect(kinds(await gateway.queryPayment(payment, signal, at))).toEqual(["never_accepted"]);
    expect(await kindOf(gateway.createPayout(samplePayout(100n), signal))).toBe("never_accepted");
    expect(kinds(await gateway.queryPayout(samplePayout(100n), signal, at))).toEqual(["never_accepted"]);
    expect(fake.calls).toEqual([]);
  });

  it.each([
    [{ environments: ["live", "test"] }, "must name one environment"],
    [{ payment_methods: ["BR_PIX"] }, "some of none"],
    [{ payout_currencies: ["EUR"] }, "some of none"],
    [{ account: "me" }, "id of the store"],
    [{ webhook_secrets: [] }, "at least one secret"],
    [{ topups: [] }, "at least one pair"],
    [{ topups: [{ source: "ETH", destination: "EUR" }] }, "must be one of BTC, USDT"],
    [{ topups: [{ source: "constructor", destination: "EUR" }] }, "must be one of BTC, USDT"],
    [{ topups: [{ source: "BTC", destination: "XXX" }] }, "is not a known currency"],
    [{ confirmations: 0 }, "must be 1, 2 or 6"],
    [{ url: "http://btcpay.example.com" }, "must use https unless it is on the loopback or plain_http is true"],
    [{ url: "ftp://btcpay.example.com" }, "must be an address"],
    [{ url: "https://me:secret@btcpay.example.com" }, "must be an address"],
    [{ secret_key: "short" }, "at least 20"],
  ])("%j is not a valid configuration", (changes, message) => {
    expect(() => withConfig(changes)).toThrow(message);
  });

  it.each(["https://10.0.0.7/btcpay", "https://btcpay.internal:8443", "http://127.0.0.1:23000", "http://[::1]:23000"])(
    "a server at %s is allowed: the operator names it",
    (url) => {
      expect(() => withConfig({ url })).not.toThrow();
    },
  );

  it("plain http within a private network has to be allowed", () => {
    expect(() => withConfig({ url: "http://10.0.0.7", plain_http: true })).not.toThrow();
  });

  it("links to an invoice's page, and to nothing else", () => {
    const page = withConfig({ dashboard_url: "https://btcpay.example.com/" }).objectPage;
    expect(page?.("topup", "HMprBnL9BTXWuPvpoKBS6e")).toBe(
      "https://btcpay.example.com/invoices/HMprBnL9BTXWuPvpoKBS6e",
    );
    expect(page?.("topup", "../../logout")).toBeNull();
    // Members see links: the address of the API can be private.
    expect(gateway.objectPage?.("topup", "HMprBnL9BTXWuPvpoKBS6e")).toBeNull();
  });
});

describe("a quote", () => {
  const quote = (source = "BTC", destination = "EUR", environment: "test" | "live" = "test") =>
    gateway.quoteTopup(source, destination, environment, signal);

  it("has the store's rate, cut in the operator's favour, without a fee", async () => {
    expect(await quote()).toEqual({ rate: "64392.234567", feeBasisPoints: 0, networks: ["bitcoin"] });
    expect(await quote("USDT", "BRL")).toEqual({ rate: "5.000000", feeBasisPoints: 0, networks: ["liquid"] });
  });

  it("of a pair or environment that the entry does not name is none, without a call", async () => {
    expect(await quote("BTC", "BRL")).toBeNull();
    expect(await quote("USDC", "EUR")).toBeNull();
    expect(await quote("BTC", "EUR", "live")).toBeNull();
    expect(fake.calls).toEqual([]);
  });

  it.each([null, "0", "0.0000001", "1e5", "-3"])("with the rate %j fails", async (rate) => {
    store.rates = { BTC_EUR: rate };
    await expect(quote()).rejects.toThrow("gave no rate for the pair");
  });

  it("fails if BTCPay does not answer, or the key may not read rates", async () => {
    fake.spoil(/rates/, "html");
    await expect(quote()).rejects.toThrow("gave no rate");
    store.permissions = [];
    await expect(quote()).rejects.toThrow("status 403 and code missing-permission");
  });
});

describe("a creation", () => {
  it("makes an invoice for the token itself and shows its address", async () => {
    const outcome = await create();
    const invoice = ours();
    expect(posts()).toMatchObject([
      {
        path: `/api/v1/stores/${STORE}/invoices`,
        headers: { authorization: `token ${KEY}` },
        body: {
          amount: "0.01552985",
          currency: "BTC",
          metadata: { orderId: REFERENCE, sluice_amount: "100000", sluice_currency: "BRL" },
          checkout: {
            paymentMethods: ["BTC-CHAIN"],
            speedPolicy: "LowSpeed",
            expirationMinutes: 15,
            monitoringMinutes: 43_200,
            paymentTolerance: 0,
          },
        },
      },
    ]);
    expect(outcome).toMatchObject({
      kind: "instructions",
      providerReference: invoice.id,
      intended: { amount: 100_000n, currency: "BRL" },
      nextAction: {
        type: "display_crypto_payment_instructions",
        address: invoice.methods[0]?.destination,
        amount: "1552985",
        currency: "BTC",
        network: "bitcoin",
      },
    });
  });

  it("of USDT uses Liquid, two confirmations, and six digits", async () => {
    expect(await create(tether())).toMatchObject({ kind: "instructions", nextAction: { network: "liquid" } });
    expect(posts()[0]?.body).toMatchObject({
      amount: "18.416207",
      currency: "USDT",
      checkout: { paymentMethods: ["USDt-CHAIN"], speedPolicy: "LowMediumSpeed" },
    });
  });

  it("follows the entry's confirmations and time of monitoring", async () => {
    gateway = withConfig({ confirmations: 1, monitoring_days: 7 });
    await create();
    expect(posts()[0]?.body).toMatchObject({ checkout: { speedPolicy: "MediumSpeed", monitoringMinutes: 10_080 } });
  });

  it.each([
    [bitcoin({ network: "liquid" }), "no payment method"],
    [bitcoin({ sourceCurrency: "ETH" }), "no payment method"],
    [bitcoin({ sourceAmount: 0n }), "nothing"],
  ])("that BTCPay cannot carry is not sent", async (request, why) => {
    expect(await create(request)).toMatchObject({ kind: "never_accepted", detail: expect.stringContaining(why) });
    expect(fake.calls).toEqual([]);
  });

  it("without an answer about the address is pending, and the poll brings the address", async () => {
    fake.spoil(/payment-methods/, "lost_answer");
    expect(await create()).toEqual({ kind: "pending", providerReference: ours().id });
    expect(kinds(await query(bitcoin(earlier(ours().id))))).toEqual(["instructions"]);
  });

  it.each(["lost_request", "lost_answer", "error_before", "error_after", "html", "rate_limited", "forbidden"] as const)(
    "with the fault %s is unknown",
    async (fault) => {
      fake.spoil(/POST/, fault);
      expect(await kindOf(create())).toBe("unknown");
    },
  );

  it("with a wrong key is unknown, and the poll proves nothing", async () => {
    gateway = withConfig({ secret_key: "ef".repeat(20) });
    expect(await create()).toMatchObject({ kind: "unknown", detail: expect.stringContaining("status 401") });
    expect(kinds(await query())).toEqual(["unknown"]);
  });

  it("that BTCPay refuses is never accepted, but only as the first call", async () => {
    fake.spoil(/POST/, "refused", "refused");
    expect(await kindOf(create())).toBe("never_accepted");
    expect(await kindOf(create(bitcoin(earlier())))).toBe("unknown");
    store.enabled = ["USDt-CHAIN"];
    expect(await create()).toMatchObject({ kind: "never_accepted", detail: expect.stringContaining("status 400") });
  });

  it("is not sent where nothing listens", async () => {
    gateway = withConfig({ url: "http://127.0.0.1:9" });
    expect(await kindOf(create())).toBe("not_sent");
  });

  it("that was announced too long ago is not sent", async () => {
    const late = { ...bitcoin(), announcedAt: new Date(Date.now() - 61_000) };
    expect(await kindOf(gateway.createTopup(late, signal))).toBe("not_sent");
    expect(posts()).toEqual([]);
  });

  it("that is repeated finds the first invoice and makes no second one", async () => {
    fake.spoil(/POST/, "lost_answer");
    await create();
    expect(await create(bitcoin(earlier()))).toMatchObject({ kind: "instructions", providerReference: ours().id });
    expect(store.invoices).toHaveLength(1);
  });

  it("that is repeated is not sent while nobody knows whether the first one arrived", async () => {
    fake.spoil(/GET .*invoices/, "error_before");
    expect(await kindOf(create(bitcoin(earlier())))).toBe("not_sent");
    expect(posts()).toEqual([]);
  });

  it.each([
    ["live", "test"],
    ["test", "main"],
  ] as const)(
    "in %s with an address of the %s network needs a person, and shows nothing",
    async (environment, chain) => {
      fake.open(KEY, new BtcpayStore({ storeId: STORE, chain }));
      gateway = withConfig({ environments: [environment] });
      for (const request of [bitcoin({ environment }), tether({ environment })]) {
        const outcome = await create(request);
        expect(outcome).toMatchObject({ kind: "unknown", needsOperator: true });
      }
    },
  );
});

describe("a poll", () => {
  const pay = (value: string, confirmed: boolean) => fake.pay(store, ours(), value, confirmed);

  it("of an unpaid invoice brings its address only", async () => {
    await create();
    expect(kinds(await query())).toEqual(["instructions"]);
  });

  it("of a reference that the store does not have is never accepted", async () => {
    expect(kinds(await query())).toEqual(["never_accepted"]);
    expect(fake.calls.at(-1)?.path).toContain(`orderId=${REFERENCE}`);
  });

  it.each(["error_before", "lost_answer", "html", "no_route", "forbidden", "rate_limited", "not_found"] as const)(
    "with the fault %s of the list is unknown",
    async (fault) => {
      fake.spoil(/GET .*invoices/, fault);
      expect(kinds(await query())).toEqual(["unknown"]);
    },
  );

  it.each(["error_before", "lost_answer", "html", "not_found", "forbidden"] as const)(
    "with the fault %s of the payments is unknown, and tells no part of the totals",
    async (fault) => {
      await create();
      pay("0.01552985", true);
      fake.spoil(/payment-methods/, fault);
      expect(kinds(await query())).toEqual(["unknown"]);
    },
  );

  it("of an invoice that BTCPay recorded and lists no longer needs a person", async () => {
    await create();
    fake.spoil(/GET .*invoices/, "empty_list");
    expect(needs(await query(bitcoin(earlier(ours().id))))).toEqual([true]);
  });

  it("of an archived invoice still counts its payments", async () => {
    await create();
    ours().archived = true;
    pay("0.01552985", true);
    expect(shown(await query())).toEqual([["funds_seen", 1_552_985n, true]]);
  });

  it("believes no list that is full or malformed", async () => {
    await create();
    for (let n = 0; n < 25; n += 1) store.invoices.push({ ...ours(), id: `invoice${n}` });
    expect(kinds(await query())).toEqual(["unknown"]);
    store.invoices.length = 1;
    Object.assign(ours(), { createdTime: "yesterday" });
    expect(kinds(await query())).toEqual(["unknown"]);
  });

  it("ignores invoices of others, also in a list that ignored the reference", async () => {
    await create();
    const theirs = { ...ours(), id: "another", metadata: { orderId: REFERENCE } };
    const elsewhere = { ...ours(), id: "unrelated", metadata: { orderId: "shop-1" } };
    store.invoices.push(theirs, elsewhere, { ...elsewhere, metadata: { orderId: { a: 1 } } });
    fake.spoil(/GET .*invoices/, "unfiltered");
    expect(await query()).toMatchObject([{ kind: "instructions", providerReference: ours().id }]);
  });

  it.each([
    ["another store", { storeId: OTHER_STORE }],
    ["another sum", { amount: "0.01552986" }],
    ["another token", { currency: "USDT" }],
  ])("of an invoice for %s needs a person and books nothing", async (_what, changes) => {
    await create();
    pay("0.01552985", true);
    Object.assign(ours(), changes);
    const outcomes = await query();
    expect(outcomes.every(({ kind }) => kind === "unknown")).toBe(true);
  });

  it("says what the creation asked for, so that another top-up's invoice is noticed", async () => {
    await create(bitcoin({ destinationAmount: 5n, destinationCurrency: "EUR" }));
    expect(await query()).toMatchObject([{ intended: { amount: 5n, currency: "EUR" } }]);
    Object.assign(ours(), { metadata: { ...ours().metadata, sluice_amount: "1e3" } });
    expect((await query())[0]).not.toHaveProperty("intended");
  });

  it("passes on the end of the window that BTCPay names, if it is earlier", async () => {
    const request = bitcoin({ createdAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) });
    await create(request);
    Object.assign(ours(), { expirationTime: Math.floor(after(0).getTime() / 1_000) });
    expect(await query(request)).toMatchObject([{ nextAction: { expires_at: after(0).toISOString() } }]);
  });
});
