// Payouts through Xendit against the hostile fake: what is sent, what each answer means, and that nothing is paid twice.
import { describe, expect, it } from "vitest";
import type { XenditAccount } from "@/e2e/support/fake-xendit/book";
import { FakeXendit } from "@/e2e/support/fake-xendit/server";
import type { Creation, Gateway, PayoutRequest } from "../gateway";
import { withFake } from "../testing/fake";
import { kindOf, kinds, signal } from "../testing/outcomes";
import { samplePayout } from "../testing/requests";
import { createXenditBalances } from "./balances";
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

const PAYOUT = "word_01h455vb4pex5vsknk084sn02q";
const rupiah = (changes: Partial<PayoutRequest> = {}): Creation<PayoutRequest> =>
  samplePayout(9_000_000n, {
    currency: "IDR",
    country: "ID",
    recipient: { accountNumber: "000000000099", bankCode: "ID_BCA", holderName: "Michael Chen" },
    ...changes,
  });
const earlier = (providerReference: string | null = null) => ({ earlier: { providerReference, account: BUSINESS } });
const pay = (request = rupiah()) => gateway.createPayout(request, signal);
const queryPayout = (request = rupiah()) => gateway.queryPayout(request, signal, at);
const posts = () => fake.calls.filter(({ method }) => method === "POST");

describe("a payout", () => {
  it("goes to the channel and the account of the recipient", async () => {
    expect(await pay()).toEqual({
      kind: "pending",
      providerReference: account.payout(PAYOUT).id,
      providerCode: "ACCEPTED",
      intended: { amount: 9_000_000n, currency: "IDR" },
    });
    expect(posts()).toHaveLength(1);
    expect(posts()[0]?.headers["idempotency-key"]).toBe(PAYOUT);
    expect(posts()[0]?.body).toEqual({
      reference_id: PAYOUT,
      channel_code: "ID_BCA",
      channel_properties: { account_number: "000000000099", account_holder_name: "Michael Chen" },
      amount: 90_000,
      currency: "IDR",
    });
  });

  it.each([
    ["PHP", "PH_BDO", 100_055n, 1_000.55],
    ["VND", "VN_VCB", 250_000n, 250_000],
    ["THB", "TH_KBANK", 1n, 0.01],
    ["MYR", "MY_MAYBANK", 10n, 0.1],
  ])("in %s to %s: %s minor units are %s", async (currency, bankCode, amount, sent) => {
    const recipient = { accountNumber: "1", bankCode, holderName: "A B" };
    expect(await kindOf(pay(rupiah({ amount, currency, recipient })))).toBe("pending");
    expect(posts()[0]?.body).toMatchObject({ amount: sent, currency });
    fake.move(account, PAYOUT, "SUCCEEDED");
    expect(await queryPayout(rupiah({ amount, currency }))).toMatchObject([{ kind: "settled", amount, currency }]);
  });

  it.each([
    ["another country's channel", { bankCode: "PH_BDO" }],
    ["a bank code of a country", { bankCode: "014" }],
    ["a channel in lower case", { bankCode: "id_bca" }],
    ["a path", { bankCode: "ID_BCA/../x" }],
    ["a name of over 100 characters", { holderName: "x".repeat(101) }],
  ])("to %s is refused before sending", async (_what, changes) => {
    const recipient = { accountNumber: "000000000099", bankCode: "ID_BCA", holderName: "Michael Chen", ...changes };
    expect(await kindOf(pay(rupiah({ recipient })))).toBe("never_accepted");
    expect(await kindOf(pay(rupiah({ amount: 9_000_001n })))).toBe("never_accepted");
    expect(fake.calls).toEqual([]);
  });

  it.each(["lost_answer", "error_after", "html"] as const)(
    "executed with %s is known to the next poll, and a repeat does not execute it again",
    async (fault) => {
      fake.spoil(/POST .v2.payouts/, fault);
      expect(await kindOf(pay())).toBe("unknown");
      expect(kinds(await queryPayout())).toEqual(["pending"]);
      expect(await kindOf(pay(rupiah(earlier())))).toBe("pending");
      expect(account.executions).toEqual([PAYOUT]);
    },
  );

  it("sent again behind a list that lags gets the first result", async () => {
    fake.spoil(/POST .v2.payouts/, "lost_answer");
    await pay();
    fake.spoil(/GET .v2.payouts/, "empty_list");
    expect(kinds(await queryPayout())).toEqual(["never_accepted"]);
    expect(await kindOf(pay(rupiah(earlier())))).toBe("pending");
    expect(account.executions).toEqual([PAYOUT]);
  });

  it("under a key that was used for another body is unknown, and not executed", async () => {
    await pay();
    expect(await kindOf(pay(rupiah({ amount: 9_000_100n })))).toBe("unknown");
    expect(account.executions).toEqual([PAYOUT]);
  });

  it.each(["array", "object"] as const)("is found in a list that is an %s", async (shape) => {
    account.payoutLists = shape;
    expect(kinds(await queryPayout())).toEqual(["never_accepted"]);
    await pay();
    fake.move(account, PAYOUT, "SUCCEEDED");
    expect(kinds(await queryPayout())).toEqual(["settled"]);
  });

  it("is not sent while the account of the key is another, or not proven", async () => {
    gateway = withConfig({ secret_key: OTHER_KEY });
    expect(await kindOf(pay())).toBe("not_sent");
    account.transactions = 0;
    gateway = withConfig();
    expect(await kindOf(pay())).toBe("not_sent");
    fake.spoil(/GET .payment_requests.limit/, "error_before");
    account.transactions = 1;
    expect(await kindOf(pay())).toBe("pending");
    expect(posts()).toHaveLength(1);
  });

  it.each(["rate_limited", "error_before", "html", "lost_answer", "unfiltered", "partial", "no_route"] as const)(
    "a poll answered by %s tells nothing",
    async (fault) => {
      await pay(rupiah({ reference: `${PAYOUT.slice(0, -1)}r` }));
      fake.spoil(/GET .v2.payouts/, fault);
      expect(await queryPayout()).toMatchObject([{ kind: "unknown" }]);
    },
  );

  it("is not sent more than a minute after its announcement", async () => {
    const late = { ...rupiah(), announcedAt: new Date(Date.now() - 61_000) };
    expect(await kindOf(pay(late))).toBe("not_sent");
    expect(posts()).toEqual([]);
  });

  it("of a wrong key is not sent, and its poll tells nothing", async () => {
    gateway = withConfig({ secret_key: `xnd_development_${"1".repeat(40)}` });
    expect(await kindOf(pay())).toBe("not_sent");
    expect(kinds(await queryPayout())).toEqual(["unknown"]);
  });

  it.each(["refused", "duplicate", "rate_limited", "error_before", "no_route"] as const)(
    "whose repeat is answered by %s stays unknown",
    async (fault) => {
      fake.spoil(/POST .v2.payouts/, fault);
      expect(await kindOf(pay(rupiah(earlier())))).toBe("unknown");
    },
  );
});

describe("balances", () => {
  it("are those of the currencies that the business has, in our units", async () => {
    expect(await createXenditBalances(configAt(fake.url))(signal, null)).toEqual([
      { amount: 100_000_000n, currency: "IDR" },
      { amount: 500_055n, currency: "PHP" },
    ]);
  });

  it("are not known if Xendit does not answer about one of them", async () => {
    fake.spoil(/currency=PHP/, "error_before");
    expect(await createXenditBalances(configAt(fake.url))(signal, null)).toBeNull();
  });
});
