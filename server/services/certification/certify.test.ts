// The course against the hostile fakes as if they were sandboxes: an honest one passes, and one with a planted lie fails in
// the step that the lie is about.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BtcpayStore } from "@/e2e/support/fake-btcpay/book";
import { FakeBtcpay } from "@/e2e/support/fake-btcpay/server";
import { DlocalAccount } from "@/e2e/support/fake-dlocal/book";
import { FakeDlocal } from "@/e2e/support/fake-dlocal/server";
import { Account } from "@/e2e/support/fake-paystack/book";
import type { Transfer } from "@/e2e/support/fake-paystack/objects";
import { FakePaystack } from "@/e2e/support/fake-paystack/server";
import { StripeAccount } from "@/e2e/support/fake-stripe/book";
import { FakeStripe } from "@/e2e/support/fake-stripe/server";
import { XenditAccount } from "@/e2e/support/fake-xendit/book";
import { FakeXendit } from "@/e2e/support/fake-xendit/server";
import type { Reply } from "@/e2e/support/hostile-provider/server";
import { readProviderConfigs } from "@/server/psp/provider-configs";
import { type CertificationOptions, certify, requireCertifiable } from "./certify";
import type { Instruction } from "./course";
import type { CallbackInbox } from "./inbox";
import { type Certification, maskedAccount, reportOf, verdictOf } from "./report";

const PAYSTACK_KEY = `sk_test_${"0123456789".repeat(4)}`;
const STRIPE_KEY = `sk_test_${"a1b2c3d4e5".repeat(3)}`;
const XENDIT_KEY = `xnd_development_${"a1b2c3d4e5".repeat(4)}`;
const SECRET = "whsec_0123456789abcdef0123456789abcdef";
const RECIPIENT = { accountNumber: "0123456789", bankCode: "058", holderName: "Ada Obi" };

let inbox: CallbackInbox | null;
beforeEach(() => {
  inbox = null;
});

/** What the sandbox does with each instruction, besides nothing. */
type Sandbox = (instruction: Instruction) => void;

function optionsWith(sandbox: Sandbox, changes: Partial<CertificationOptions> = {}): CertificationOptions {
  return {
    only: null,
    callbackPort: 0,
    onListening: (opened) => {
      inbox = opened;
    },
    waitMs: 20_000,
    expiryMs: 1_000,
    pollMs: 5,
    recipient: RECIPIENT,
    payerEmail: "payer@example.com",
    payerDocument: null,
    baseUrl: "https://pay.example.com",
    signal: new AbortController().signal,
    tell: sandbox,
    ...changes,
  };
}

async function deliver({ headers, body }: { readonly headers: Headers; readonly body: string }): Promise<void> {
  if (!inbox) return;
  await fetch(`http://127.0.0.1:${inbox.port}/providers/sandbox/callbacks`, { method: "POST", headers, body });
}

/** The steps with that result, as "subject: name". */
const stepsThat = ({ steps }: Certification, result: string) =>
  steps.filter((step) => step.result === result).map(({ subject, name }) => `${subject}: ${name}`);

describe("Paystack", () => {
  const owner = { integration: 463_433, domain: "test" } as const;
  let fake: FakePaystack;
  let account: Account;
  beforeEach(async () => {
    fake = await FakePaystack.start();
    open(new Account(owner));
  });
  afterEach(() => fake.stop());

  function open(opened: Account): void {
    account = fake.open(PAYSTACK_KEY, opened);
    account.customers.push("earlier@example.com");
  }

  function configOf(changes: object = {}) {
    const entry = { name: "paystack", type: "paystack", account: "463433", secret_key: PAYSTACK_KEY, url: fake.url };
    const offers = { environments: ["test"], payment_methods: ["NG_USSD"], payout_currencies: ["NGN"] };
    return requireCertifiable(readProviderConfigs(JSON.stringify([{ ...entry, ...offers, ...changes }])), "paystack");
  }

  /** Pays or settles what the course asks for, and sends the webhook. */
  const sandbox: Sandbox = ({ kind, reference }) => {
    if (kind === "pay") fake.pay(account, reference.replaceAll("_", "-"));
    else fake.move(account, reference, "success");
    for (const event of fake.outbox.splice(0)) void deliver(FakePaystack.webhook(event, PAYSTACK_KEY));
  };

  it("passes if the sandbox is honest; only closing is not possible", async () => {
    const certification = await certify(configOf(), optionsWith(sandbox));
    expect(stepsThat(certification, "failed")).toEqual([]);
    expect(stepsThat(certification, "not_possible")).toEqual(["NG_USSD: cancel"]);
    expect(stepsThat(certification, "passed")).toEqual([
      "account: key and account",
      "account: wrong key",
      "NG_USSD: create",
      "NG_USSD: repeat the creation",
      "NG_USSD: poll",
      "NG_USSD: pay",
      "NG_USSD: callback",
      "NG_USSD: expiry",
      "payouts in NGN: create",
      "payouts in NGN: repeat the creation",
      "payouts in NGN: another sum under the same reference",
      "payouts in NGN: poll",
      "payouts in NGN: settle",
      "payouts in NGN: callback",
      "account: unknown reference",
    ]);
    expect(verdictOf(certification.steps)).toBe("incomplete");
    expect(account.executions).toHaveLength(1);
  });

  it("fails if a repeated reference of a payout is executed again", async () => {
    class Twice extends Account {
      override transfer(body: Readonly<Record<string, unknown>>): Transfer {
        this.transfers.delete(String(body["reference"]));
        return super.transfer(body);
      }
    }
    open(new Twice(owner));
    const failures = stepsThat(await certify(configOf(), optionsWith(sandbox, { only: ["NGN"] })), "failed");
    expect(failures).toEqual([
      "payouts in NGN: repeat the creation",
      "payouts in NGN: another sum under the same reference",
      "payouts in NGN: poll",
      "payouts in NGN: settle",
    ]);
  });

  it("fails if a repetition moves money again although the answer is the first one's", async () => {
    class Silently extends Account {
      override transfer(body: Readonly<Record<string, unknown>>): Transfer {
        const known = this.transfers.get(String(body["reference"]));
        if (!known) return super.transfer(body);
        this.balance -= known.amount;
        return known;
      }
    }
    open(new Silently(owner));
    const certification = await certify(configOf(), optionsWith(sandbox, { only: ["NGN"] }));
    expect(stepsThat(certification, "failed")).toContain("payouts in NGN: repeat the creation");
  });

  it("fails if another sum is paid than asked for", async () => {
    const more: Sandbox = (instruction) => {
      if (instruction.kind === "pay") fake.pay(account, instruction.reference.replaceAll("_", "-"), 20_001);
    };
    const options = optionsWith(more, { only: ["NG_USSD"], callbackPort: null });
    const certification = await certify(configOf(), options);
    expect(stepsThat(certification, "failed")).toEqual(["NG_USSD: pay"]);
    expect(stepsThat(certification, "not_possible")).toContain("NG_USSD: callback");
    expect(certification.steps.find(({ result }) => result === "failed")?.text).toMatch(/20000 NGN.*20001 NGN/);
  });

  it("fails if a key that nobody issued creates payments", async () => {
    fake.open(`sk_test_${"0".repeat(40)}`, account);
    const certification = await certify(configOf(), optionsWith(sandbox, { only: ["NG_USSD"] }));
    expect(stepsThat(certification, "failed")).toEqual(["account: wrong key"]);
  });

  it("fails if the provider does not answer to a wrong key", async () => {
    fake.spoil(/transaction.verify/, "error_before");
    const options = optionsWith(sandbox, { only: ["NG_USSD"], expiryMs: null });
    expect(stepsThat(await certify(configOf(), options), "failed")).toEqual(["account: wrong key"]);
  });

  it("refuses a port for callbacks that is taken", async () => {
    const callbackPort = Number(new URL(fake.url).port);
    await expect(certify(configOf(), optionsWith(sandbox, { callbackPort }))).rejects.toMatchObject({
      code: "validation_failed",
    });
  });

  it("fails if callbacks are signed with another key, and if the key is another account's", async () => {
    const forged: Sandbox = ({ reference }) => {
      fake.pay(account, reference.replaceAll("_", "-"));
      for (const event of fake.outbox.splice(0)) void deliver(FakePaystack.webhook(event, "sk_test_other"));
    };
    const options = optionsWith(forged, { only: ["NG_USSD"], waitMs: 500 });
    const signedByOther = await certify(configOf(), options);
    expect(stepsThat(signedByOther, "failed")).toEqual(["NG_USSD: callback"]);
    const otherAccount = await certify(configOf({ account: "99" }), options);
    expect(stepsThat(otherAccount, "failed")).toContain("account: key and account");
  });

  it("says what nobody did, and ends early when it is stopped", async () => {
    const stop = new AbortController();
    const options = optionsWith(() => stop.abort(), { only: ["NG_USSD"], waitMs: 600_000, signal: stop.signal });
    const certification = await certify(configOf(), { ...options, recipient: null, callbackPort: null });
    expect(stepsThat(certification, "not_possible")).toEqual([
      "NG_USSD: pay",
      "NG_USSD: callback",
      "NG_USSD: cancel",
      "NG_USSD: expiry",
    ]);
  });

  it("refuses live keys, bridges and unknown names", () => {
    const live = { secret_key: PAYSTACK_KEY.replace("test", "live"), environments: ["live"] };
    expect(() => configOf(live)).toThrow(/live keys/);
    const bridge = readProviderConfigs(
      JSON.stringify([{ name: "b", url: "http://127.0.0.1:9", secret: "s".repeat(32) }]),
    );
    expect(() => requireCertifiable(bridge, "b")).toThrow(/bridge/);
    expect(() => requireCertifiable(bridge, "c")).toThrow(/no entry/);
  });

  it("its report names every step and hides account and keys", async () => {
    const options = optionsWith(sandbox, { recipient: null, expiryMs: null });
    const report = reportOf(await certify(configOf(), options), "9.9.9");
    expect(report).toContain("# Certification of paystack");
    expect(report).toContain("`paystack` of Sluice 9.9.9");
    expect(report).toContain("| NG_USSD | pay | passed |");
    expect(report).toContain("- payouts in NGN, create: no recipient is known: see --account");
    expect(report).toContain("No step failed, but some were not possible.");
    expect(report).not.toContain("463433");
    expect(report).not.toContain(PAYSTACK_KEY);
    expect([maskedAccount("463433"), maskedAccount("acct_1OurAccount")]).toEqual(["…3433", "acct_…ount"]);
  });
});

describe("Stripe", () => {
  let fake: FakeStripe;
  let account: StripeAccount;
  beforeEach(async () => {
    fake = await FakeStripe.start();
    account = fake.open(STRIPE_KEY, { id: "acct_1Ours", livemode: false });
  });
  afterEach(() => fake.stop());

  function configOf() {
    const entry = { name: "stripe", type: "stripe", account: "acct_1Ours", secret_key: STRIPE_KEY, url: fake.url };
    const more = { webhook_secrets: [SECRET], environments: ["test"], payment_methods: ["NL_IDEAL", "MX_SPEI"] };
    return requireCertifiable(readProviderConfigs(JSON.stringify([{ ...entry, ...more }])), "stripe");
  }

  const sandbox: Sandbox = ({ reference }) => {
    fake.pay(account, reference);
    for (const event of fake.outbox.splice(0)) void deliver(FakeStripe.webhook(event, SECRET));
  };

  it("passes every step if the sandbox is honest", async () => {
    const certification = await certify(configOf(), optionsWith(sandbox));
    expect(certification.steps.filter(({ result }) => result !== "passed")).toEqual([]);
    expect(verdictOf(certification.steps)).toBe("passed");
    expect(stepsThat(certification, "passed")).toEqual(
      expect.arrayContaining(["NL_IDEAL: cancel", "MX_SPEI: expiry", "NL_IDEAL: refund", "MX_SPEI: repeat the refund"]),
    );
  });

  it("fails if a repeated idempotency key creates a second object", async () => {
    class Forgetful extends StripeAccount {
      override once(_key: string | undefined, _fingerprint: string, perform: () => Reply): Reply {
        return perform();
      }
    }
    account = fake.open(STRIPE_KEY, new Forgetful({ id: "acct_1Ours", livemode: false }));
    const certification = await certify(
      configOf(),
      optionsWith(sandbox, { only: ["NL_IDEAL"], waitMs: 500, callbackPort: null }),
    );
    expect(stepsThat(certification, "failed")).toEqual(["NL_IDEAL: repeat the creation"]);
  });

  it("fails if another sum is refunded", async () => {
    class Mean extends StripeAccount {
      override createRefund(params: Parameters<StripeAccount["createRefund"]>[0]) {
        return super.createRefund({ ...params, amount: "1" });
      }
    }
    account = fake.open(STRIPE_KEY, new Mean({ id: "acct_1Ours", livemode: false }));
    const certification = await certify(configOf(), optionsWith(sandbox, { only: ["NL_IDEAL"] }));
    expect(stepsThat(certification, "failed")).toEqual(["NL_IDEAL: refund"]);
  });

  it("fails if an expired page can still be paid", async () => {
    class Open extends StripeAccount {
      override expire(session: Parameters<StripeAccount["expire"]>[0]) {
        return session;
      }
    }
    account = fake.open(STRIPE_KEY, new Open({ id: "acct_1Ours", livemode: false }));
    const certification = await certify(configOf(), optionsWith(sandbox, { only: ["NL_IDEAL"] }));
    expect(stepsThat(certification, "failed")).toEqual(["NL_IDEAL: cancel", "NL_IDEAL: expiry"]);
  });
});

describe("Xendit", () => {
  const owner = { business_id: "5f27a14a9bf05c73dd040bc8" };
  const options = (changes: Partial<CertificationOptions> = {}) =>
    optionsWith(sandbox, { recipient: { ...RECIPIENT, bankCode: "ID_BCA" }, ...changes });
  let fake: FakeXendit;
  let account: XenditAccount;
  beforeEach(async () => {
    fake = await FakeXendit.start();
    account = fake.open(XENDIT_KEY, owner);
  });
  afterEach(() => fake.stop());

  function configOf() {
    const entry = { name: "xendit", type: "xendit", account: owner.business_id, secret_key: XENDIT_KEY, url: fake.url };
    const offers = { payment_methods: ["ID_QRIS", "ID_DANA"], payout_currencies: ["IDR"], webhook_tokens: [SECRET] };
    return requireCertifiable(
      readProviderConfigs(JSON.stringify([{ ...entry, ...offers, environments: ["test"] }])),
      "xendit",
    );
  }

  /** Pays or settles what the course asks for, and sends the webhooks. */
  const sandbox: Sandbox = ({ kind, reference }) => {
    if (kind === "pay") fake.pay(account, reference);
    else fake.move(account, reference, "SUCCEEDED");
    for (const event of fake.outbox.splice(0)) void deliver(FakeXendit.webhook(event, SECRET));
  };

  it("passes if the sandbox is honest; only closing is not possible", async () => {
    const certification = await certify(configOf(), options());
    expect(stepsThat(certification, "failed")).toEqual([]);
    expect(stepsThat(certification, "not_possible")).toEqual(["ID_QRIS: cancel", "ID_DANA: cancel"]);
    expect(stepsThat(certification, "passed")).toEqual(
      expect.arrayContaining(["ID_DANA: pay", "payouts in IDR: settle", "payouts in IDR: callback"]),
    );
    expect(account.executions).toHaveLength(1);
  });

  it("fails if a repeated key executes a payout again", async () => {
    class Forgetful extends XenditAccount {
      override once(_key: string | undefined, _fingerprint: string, perform: () => Reply): Reply {
        return perform();
      }
    }
    account = fake.open(XENDIT_KEY, new Forgetful(owner));
    const failures = stepsThat(await certify(configOf(), options({ only: ["IDR"], waitMs: 500 })), "failed");
    expect(failures).toEqual(
      expect.arrayContaining([
        "payouts in IDR: repeat the creation",
        "payouts in IDR: another sum under the same reference",
      ]),
    );
  });
});

describe("BTCPay", () => {
  const owner = { storeId: "9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776" };
  const KEY = "a1b2c3d4e5".repeat(4);
  const TOPUPS = "top-ups by BTC into EUR";
  let fake: FakeBtcpay;
  let store: BtcpayStore;
  beforeEach(async () => {
    fake = await FakeBtcpay.start();
    store = fake.open(KEY, owner);
  });
  afterEach(() => fake.stop());

  function configOf() {
    const entry = { name: "btcpay", type: "btcpay", account: owner.storeId, secret_key: KEY, url: fake.url };
    const offers = { topups: [{ source: "BTC", destination: "EUR" }], webhook_secrets: [SECRET] };
    return requireCertifiable(
      readProviderConfigs(JSON.stringify([{ ...entry, ...offers, environments: ["test"] }])),
      "btcpay",
    );
  }

  /** Sends what the course asks for, and the webhooks. */
  const sandbox: Sandbox = ({ reference }) => {
    fake.pay(store, store.find(reference));
    for (const event of fake.outbox.splice(0)) void deliver(FakeBtcpay.webhook(event, SECRET));
  };

  it("passes if the server is honest", async () => {
    const certification = await certify(configOf(), optionsWith(sandbox));
    expect(stepsThat(certification, "failed")).toEqual([]);
    expect(stepsThat(certification, "not_possible")).toEqual([]);
    expect(stepsThat(certification, "passed")).toEqual([
      "account: key and account",
      "account: wrong key",
      ...["quote", "create", "repeat the creation", "poll", "pay", "callback", "expiry"].map(
        (one) => `${TOPUPS}: ${one}`,
      ),
      "account: unknown reference",
    ]);
    expect(store.invoices).toHaveLength(2);
    expect(verdictOf(certification.steps)).toBe("passed");
  });

  it("is incomplete if nobody pays", async () => {
    const certification = await certify(
      configOf(),
      optionsWith(() => {}, { waitMs: 50, callbackPort: null }),
    );
    expect(stepsThat(certification, "not_possible")).toEqual([`${TOPUPS}: pay`, `${TOPUPS}: callback`]);
    expect(verdictOf(certification.steps)).toBe("incomplete");
  });

  it("fails if another sum arrives, or the list forgets an invoice", async () => {
    const short: Sandbox = ({ reference }) => void fake.pay(store, store.find(reference), "0.00000001");
    const less = await certify(configOf(), optionsWith(short, { callbackPort: null }));
    expect(stepsThat(less, "failed")).toEqual([`${TOPUPS}: pay`]);
    class Forgetful extends BtcpayStore {
      override create(body: Parameters<BtcpayStore["create"]>[0]) {
        return super.create({ ...body, metadata: {} });
      }
    }
    store = fake.open(KEY, new Forgetful(owner));
    const forgetful = await certify(
      configOf(),
      optionsWith(() => {}, { waitMs: 50, callbackPort: null }),
    );
    expect(stepsThat(forgetful, "failed")).toEqual([`${TOPUPS}: poll`, `${TOPUPS}: expiry`]);
  });

  it("fails without a rate, or if the server runs on the main network", async () => {
    store.rates = {};
    const unrated = await certify(configOf(), optionsWith(sandbox, { waitMs: 50 }));
    expect(stepsThat(unrated, "failed")).toContain(`${TOPUPS}: quote`);
    store = fake.open(KEY, new BtcpayStore({ ...owner, chain: "main" }));
    const main = await certify(configOf(), optionsWith(sandbox, { waitMs: 50 }));
    expect(stepsThat(main, "failed")).toContain(`${TOPUPS}: create`);
  });
});

describe("dLocal", () => {
  const owner = { login: "sak223k2wdksdl2", transKey: "fm12O7G9", secretKey: "a1b2c3d4e5".repeat(4) };
  const options = (changes: Partial<CertificationOptions> = {}) =>
    optionsWith(sandbox, { payerDocument: "530.333.155-50", ...changes });
  let fake: FakeDlocal;
  let account: DlocalAccount;
  beforeEach(async () => {
    fake = await FakeDlocal.start();
    account = fake.open(owner.login, owner);
  });
  afterEach(() => fake.stop());

  function configOf() {
    const keys = { account: owner.login, trans_key: owner.transKey, secret_key: owner.secretKey };
    const entry = { name: "dlocal", type: "dlocal", ...keys, environments: ["test"], url: fake.url };
    const offers = { payment_methods: ["BR_PIX", "CO_PSE"] };
    return requireCertifiable(readProviderConfigs(JSON.stringify([{ ...entry, ...offers }])), "dlocal");
  }

  /** Pays what the course asks for, and sends the notifications. */
  const sandbox: Sandbox = ({ reference }) => {
    fake.pay(account, reference);
    for (const notification of fake.outbox.splice(0)) void deliver(FakeDlocal.webhook(notification, owner));
  };

  it("passes if the sandbox is honest; only closing is not possible", async () => {
    const certification = await certify(configOf(), options());
    expect(stepsThat(certification, "failed")).toEqual([]);
    expect(stepsThat(certification, "not_possible")).toEqual(["BR_PIX: cancel", "CO_PSE: cancel"]);
    const steps = ["create", "repeat the creation", "poll", "pay", "callback", "expiry"];
    expect(stepsThat(certification, "passed")).toEqual([
      "account: key and account",
      "account: wrong key",
      ...["BR_PIX", "CO_PSE"].flatMap((code) => steps.map((step) => `${code}: ${step}`)),
      "account: unknown reference",
    ]);
    expect(account.executions()).toBe(4);
  });

  it("fails to create anything without the payer's document", async () => {
    const certification = await certify(configOf(), options({ payerDocument: null, only: ["CO_PSE"] }));
    expect(stepsThat(certification, "failed")).toContain("CO_PSE: create");
    expect(account.executions()).toBe(0);
  });

  it("fails if an order can be created twice", async () => {
    class Forgetful extends DlocalAccount {
      override create(...[, body]: Parameters<DlocalAccount["create"]>): Reply {
        const former = this.payments.splice(0);
        const reply = super.create(undefined, body);
        this.payments.push(...former);
        return reply;
      }
    }
    account = fake.open(owner.login, new Forgetful(owner));
    const certification = await certify(configOf(), options({ only: ["CO_PSE"], waitMs: 500, callbackPort: null }));
    expect(stepsThat(certification, "failed")).toContain("CO_PSE: repeat the creation");
  });
});
