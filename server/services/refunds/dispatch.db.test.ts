// A confirmed refund is executed at most once, whatever its provider answers and wherever a process dies.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { announceRefund, answerAttempt, listAttempts } from "@/server/db/attempts";
import { query } from "@/server/db/client";
import { findException, listExceptionsOf } from "@/server/db/exceptions";
import { findRefund, postponeRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import type { PaymentOutcome, RefundOutcome } from "@/server/domain/outcome";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { letProviderRefund, type RefundBehaviour, type RefundingProvider } from "@/server/testing/refunding-provider";
import { installScriptedProvider, installScriptedProviders } from "@/server/testing/scripted-provider";
import { applyUpdate } from "../callbacks/apply-update";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { storeCallback } from "../callbacks/store";
import { pauseDispatch, resumeDispatch } from "../dispatch/control";
import { forgetPauses } from "../dispatch/paused";
import { resolveException } from "../exceptions/decide";
import { resolveEndedStuck } from "../exceptions/stuck";
import { withoutIdempotency } from "../idempotency/completion";
import { findAnyIntent } from "../intent-kinds";
import { createPaymentIntent } from "../payments/create";
import { confirmRefund } from "./decide";
import { workOnDueRefunds } from "./due-refunds";
import { followUpRefund, pollRefund } from "./follow-up";
import { proposeRefund } from "./propose";

const HOUR_MS = 60 * 60 * 1000;
const AMOUNT = 1050n;

let merchant: TestMerchant;
let provider: RefundingProvider;
let opening: bigint;
beforeEach(async () => {
  const script = installScriptedProvider();
  provider = letProviderRefund();
  merchant = await makeLiveMerchant();
  [opening] = await balanceOf(merchant);
  script.answer = { kind: "pending", providerReference: newId("event") };
});
afterEach(async () => {
  const executions = [...provider.executions.values()].reduce((sum, times) => sum + times, 0);
  if (executions > 1) throw new Error(`the provider refunded the money ${executions} times`);
  await requireInvariants();
});

/** Late money of a payment; returns its exception. */
async function lateMoney(): Promise<string> {
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  const sum = { amount: AMOUNT, currency: "BRL", receiptId: null, providerReference: "px-1" };
  const reports: PaymentOutcome[] = [
    { kind: "expired", providerReference: "px-1" },
    { kind: "succeeded", ...sum },
  ];
  for (const report of reports) {
    const subject = await findAnyIntent(merchant.merchantId, intent.id);
    if (subject) await applyUpdate(merchant.context, subject, [report]);
  }
  const [exception] = await listExceptionsOf(merchant.scope, { objectId: intent.id }, null, 1);
  return exception?.id ?? "";
}

async function confirmed(exceptionId?: string): Promise<StoredRefund> {
  const id = exceptionId ?? (await lateMoney());
  return confirmRefund(merchant.byMember(), (await proposeRefund(merchant.byMember(), id, "Paid late.")).id);
}

const fresh = async ({ id }: StoredRefund) => (await findRefund(merchant.scope, id)) as StoredRefund;
const stateOf = async (refund: StoredRefund) => (await fresh(refund)).state;
const exceptionsAbout = async ({ id }: StoredRefund) =>
  (await listExceptionsOf(merchant.scope, { objectId: id, state: "open" }, null, 10)).map(({ kind }) => kind);

/** Sends or polls as the worker does, `hours` from now. */
async function round(refund: StoredRefund, hours = 0): Promise<void> {
  await followUpRefund(await fresh(refund), () => new Date(now().getTime() + hours * HOUR_MS));
}

async function balances(): Promise<Record<string, string>> {
  const rows = await query<{ kind: string; balance: string }>(
    `SELECT split_part(kind, ':', 1) AS kind, balance::text FROM ledger_account
     WHERE merchant_id = $1 AND environment = 'live' AND kind IN ('suspense', 'provider_clearing:scripted')`,
    merchant.merchantId,
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}
const BACK = { suspense: "0", provider_clearing: "0" };
const KEPT = { suspense: "1050", provider_clearing: "-1050" };

describe("answers", () => {
  it.each<[readonly RefundBehaviour[], number]>([
    [["settles"], 1],
    [["loses"], 1],
    [["drops"], 2],
    [["unsent"], 2],
    [["unsent", "drops", "loses"], 3],
  ])("after %j it settles once, always under one reference", async (behaviours, calls) => {
    provider.next = [...behaviours];
    const refund = await confirmed();
    for (let n = 0; n < 5; n += 1) await round(refund);
    expect(await stateOf(refund)).toBe("settled");
    expect(provider.requests.map(({ reference }) => reference)).toEqual(Array(calls).fill(refund.reference));
    expect([...provider.executions]).toEqual([[refund.reference, 1]]);
    expect(await balances()).toEqual(BACK);
    expect(await balanceOf(merchant)).toEqual([opening, 0n]);
    expect(await findException(merchant.scope, refund.exceptionId)).toMatchObject({ settledAs: "refund" });
  });

  it("each call asks for the same, in full, from the payer of the payment", async () => {
    provider.next = ["drops", "drops"];
    const refund = await confirmed();
    for (let n = 0; n < 3; n += 1) await round(refund);
    const [first, ...others] = provider.requests.map((request) => ({ ...request, announcedAt: null, earlier: null }));
    expect(others).toEqual([first, first]);
    expect(first).toMatchObject({
      amount: AMOUNT,
      currency: "BRL",
      payment: { reference: refund.paymentReference, providerReference: "px-1", receiptId: null },
    });
  });

  it("a provider that does not recognize repeats is not asked twice once it may have executed", async () => {
    provider.isForgetful = true;
    provider.next = ["loses"];
    const refund = await confirmed();
    for (let n = 0; n < 3; n += 1) await round(refund);
    expect([provider.requests.length, await stateOf(refund)]).toEqual([1, "settled"]);
  });

  it("one that is pending waits, and settles when the provider says so", async () => {
    provider.next = ["pends"];
    const refund = await confirmed();
    await round(refund);
    await round(refund, 13 * 24);
    expect([await stateOf(refund), await exceptionsAbout(refund)]).toEqual(["confirmed", []]);
    await round(refund, 14 * 24);
    expect(await exceptionsAbout(refund)).toEqual(["stuck"]);
    report(refund, { kind: "settled", amount: AMOUNT, currency: "BRL", providerReference: null });
    await round(refund);
    expect([await stateOf(refund), await balances()]).toEqual(["settled", BACK]);
    await resolveEndedStuck();
    expect(await exceptionsAbout(refund)).toEqual([]);
  });

  it("a refusal leaves the money in suspense; the next refund has another reference", async () => {
    provider.next = ["declines"];
    const refund = await confirmed();
    await round(refund);
    expect([await stateOf(refund), await balances()]).toEqual(["failed", KEPT]);
    const next = await confirmed(refund.exceptionId);
    expect(next.reference).not.toBe(refund.reference);
    await round(next);
    expect([await stateOf(next), await balances()]).toEqual(["settled", BACK]);
  });

  it("a settlement of another sum books nothing, and is for a person", async () => {
    provider.next = ["short"];
    const refund = await confirmed();
    for (let n = 0; n < 3; n += 1) await round(refund);
    expect([await stateOf(refund), await exceptionsAbout(refund)]).toEqual(["confirmed", ["contradiction"]]);
    expect([provider.requests.length, await balances()]).toEqual([1, KEPT]);
  });
});

/** What the provider reports from now on. */
function report({ reference }: StoredRefund, ...outcomes: RefundOutcome[]): void {
  provider.reports.set(reference, outcomes);
}
const settledOf = (amount = AMOUNT): RefundOutcome => {
  return { kind: "settled", amount, currency: "BRL", providerReference: null };
};
const RETURNED: RefundOutcome = { kind: "returned", amount: AMOUNT, currency: "BRL", providerReference: null };
const DECLINED: RefundOutcome = { kind: "declined", message: null, providerReference: null };
const FORGOTTEN: RefundOutcome = { kind: "never_accepted", detail: "no such refund" };

describe("a provider that says something else later", () => {
  const hear = async (refund: StoredRefund) => pollRefund(await fresh(refund), now);

  it("a refund that comes back is in suspense again, once, with an exception of its own that can be refunded", async () => {
    const refund = await confirmed();
    await round(refund);
    report(refund, settledOf(), RETURNED);
    await Promise.all([hear(refund), hear(refund), hear(refund)]);
    await hear(refund);
    expect([await stateOf(refund), await balances()]).toEqual(["returned", KEPT]);
    const [exception] = await listExceptionsOf(merchant.scope, { state: "open" }, null, 10);
    expect(exception).toMatchObject({ kind: "late_money", fact: `refund_returned:${refund.id}` });
    provider.executions.clear();
    const again = await confirmed(exception?.id);
    await round(again);
    expect([await stateOf(again), await balances()]).toEqual(["settled", BACK]);
  });

  it("a return that is reported before the settlement leaves the money where it is", async () => {
    provider.next = ["pends"];
    const refund = await confirmed();
    await round(refund);
    report(refund, RETURNED);
    await round(refund);
    expect([await stateOf(refund), await balances()]).toEqual(["failed", KEPT]);
  });

  it("a refusal after the settlement moves nothing, and is for a person", async () => {
    const refund = await confirmed();
    await round(refund);
    report(refund, DECLINED);
    await hear(refund);
    expect([await stateOf(refund), await exceptionsAbout(refund), await balances()]).toEqual([
      "settled",
      ["contradiction"],
      BACK,
    ]);
  });

  it("a settlement after the refusal is for a person, and until then nothing is sent again", async () => {
    provider.next = ["declines"];
    const refund = await confirmed();
    await round(refund);
    report(refund, settledOf());
    await hear(refund);
    expect([await stateOf(refund), await exceptionsAbout(refund), await balances()]).toEqual([
      "failed",
      ["contradiction"],
      KEPT,
    ]);
    const next = await confirmed(refund.exceptionId);
    await round(next);
    expect([provider.requests.length, await stateOf(next)]).toEqual([1, "confirmed"]);
    const [about] = await listExceptionsOf(merchant.scope, { objectId: refund.id }, null, 1);
    await resolveException(merchant.byMember(), about?.id ?? "", "The provider was mistaken.");
    await round(next);
    expect(await stateOf(next)).toBe("settled");
  });

  it("a provider that denies a refund it accepted is not asked again", async () => {
    provider.next = ["pends"];
    const refund = await confirmed();
    await round(refund);
    report(refund, FORGOTTEN);
    for (const hours of [0, 1, 100]) await round(refund, hours);
    expect([provider.requests.length, await stateOf(refund)]).toEqual([1, "confirmed"]);
    expect(await exceptionsAbout(refund)).toContain("contradiction");
  });
});

describe("a provider that never accepts", () => {
  it("is asked five times; the refund fails once no call can be on its way", async () => {
    provider.next = Array<RefundBehaviour>(10).fill("drops");
    const refund = await confirmed();
    for (let n = 0; n < 8; n += 1) await round(refund);
    expect([provider.requests.length, await stateOf(refund)]).toEqual([5, "confirmed"]);
    await round(refund, 0.2);
    expect([await stateOf(refund), await balances()]).toEqual(["failed", KEPT]);
  });

  it("is not asked again after it may have forgotten: that is for a person", async () => {
    provider.next = ["loses"];
    const refund = await confirmed();
    await round(refund);
    provider.reports.clear();
    for (const hours of [23, 24, 48]) await round(refund, hours);
    expect([provider.requests.length, await stateOf(refund)]).toEqual([1, "confirmed"]);
    expect(await exceptionsAbout(refund)).toContain("stuck");
    expect(await balances()).toEqual(KEPT);
  });
});

describe("a process that dies", () => {
  const announce = (refund: StoredRefund, id = newId("attempt")) => announceRefund(refund, { id, ordinal: 1 }, now());

  it("after the announcement: the provider is asked first, then sent to under the same reference", async () => {
    const refund = await confirmed();
    expect(await announce(refund)).toBe(true);
    await round(refund);
    expect(provider.requests.map(({ reference }) => reference)).toEqual([refund.reference]);
    expect((await listAttempts(merchant.merchantId, refund.id)).length).toBe(2);
    expect(await stateOf(refund)).toBe("settled");
  });

  it("after the call: the next poll settles it", async () => {
    const refund = await confirmed();
    await announce(refund);
    report(refund, settledOf());
    await round(refund);
    expect([provider.requests.length, await stateOf(refund)]).toEqual([0, "settled"]);
  });

  it("after the answer is stored and before the booking: the next poll settles it", async () => {
    const refund = await confirmed();
    const id = newId("attempt");
    await announce(refund, id);
    const answer = { id, state: "answered", outcome: "settled", providerReference: null, providerCode: null } as const;
    await answerAttempt(merchant.merchantId, answer, now());
    report(refund, settledOf());
    await round(refund);
    expect([provider.requests.length, await stateOf(refund)]).toEqual([0, "settled"]);
  });

  it("of workers at once, one calls the provider", async () => {
    const refund = await confirmed();
    await Promise.all([round(refund), round(refund), round(refund), round(refund)]);
    for (let n = 0; n < 2; n += 1) await round(refund);
    expect([...provider.executions]).toEqual([[refund.reference, 1]]);
    expect(await balances()).toEqual(BACK);
  });

  it("a refund that nobody has confirmed is not announced", async () => {
    const proposed = await proposeRefund(merchant.byMember(), await lateMoney(), "Paid late.");
    expect(await announce(proposed)).toBe(false);
  });
});

describe("dispatch", () => {
  const everything = { provider: null, merchantId: null, currency: null };

  it.each([everything, { ...everything, currency: "BRL" }])(
    "while it is paused (%j) no refund is sent",
    async (scope) => {
      const refund = await confirmed();
      await pauseDispatch(scope, "An incident.");
      forgetPauses();
      await round(refund);
      expect(provider.requests).toEqual([]);
      expect(await announceRefund(refund, { id: newId("attempt"), ordinal: 1 }, now())).toBe(false);
      await resumeDispatch(scope, "It is over.");
      forgetPauses();
      await round(refund);
      expect(await stateOf(refund)).toBe("settled");
    },
  );

  it("the worker takes due refunds, and one whose provider is gone is for a person until it is back", async () => {
    const refund = await confirmed();
    await query(
      "UPDATE suspense_refund SET due_at = due_at + interval '1 day' WHERE due_at IS NOT NULL AND merchant_id <> $1",
      merchant.merchantId,
    );
    installScriptedProviders("other");
    expect(await workOnDueRefunds(10)).toBe(1);
    expect([await stateOf(refund), await exceptionsAbout(refund)]).toEqual(["confirmed", ["stuck"]]);
    installScriptedProvider();
    provider = letProviderRefund();
    await postponeRefund(refund, new Date(now().getTime() - 1_000));
    expect(await workOnDueRefunds(10)).toBe(1);
    expect(await stateOf(refund)).toBe("settled");
    await resolveEndedStuck();
    expect(await exceptionsAbout(refund)).toEqual([]);
  });
});

it("money that another account at the provider received is not refunded from this one", async () => {
  const receivedBy = (account: string | null) =>
    queryAsOwner(
      "UPDATE provider_attempt SET provider_account = $2 WHERE merchant_id = $1",
      merchant.merchantId,
      account,
    );
  const id = await lateMoney();
  await receivedBy("acct_1");
  const proposed = proposeRefund(merchant.byMember(), id, "Paid late.");
  await expect(proposed).rejects.toMatchObject({ code: "validation_failed" });
  await receivedBy(null);
  const refund = await confirmed(id);
  await receivedBy("acct_1");
  await expect(round(refund)).rejects.toThrow("another account");
  expect(provider.requests).toEqual([]);
});

describe("a callback about a refund", () => {
  /** Lets the provider's callbacks name the refund, without a word of what happened. */
  async function receiveHint({ merchantId, reference }: StoredRefund): Promise<string | null> {
    const shared = globalThis as { sluiceProviders?: readonly object[] };
    const receiver = { verifyCallback: () => null, readCallback: () => ({ kind: "hint", merchantId, reference }) };
    shared.sluiceProviders = (shared.sluiceProviders ?? []).map((one) => ({ ...one, receiver }));
    const callbackId = newId("event");
    await storeCallback({ provider: "scripted", callbackId }, "{}");
    await applyDueCallbacks(10, 30_000);
    const [row] = await query<{ result: string | null }>(
      "SELECT result FROM provider_callback WHERE callback_id = $1",
      callbackId,
    );
    return row?.result ?? null;
  }

  it("lets the provider be polled: one that was pending settles, and one that settled comes back", async () => {
    provider.next = ["pends"];
    const refund = await confirmed();
    await round(refund);
    report(refund, settledOf());
    expect([await receiveHint(refund), await stateOf(refund)]).toEqual(["applied", "settled"]);
    report(refund, settledOf(), RETURNED);
    expect([await receiveHint(refund), await stateOf(refund), await balances()]).toEqual(["applied", "returned", KEPT]);
    expect([await receiveHint(refund), await balances()]).toEqual(["applied", KEPT]);
  });

  it("is not applied to a refund that nobody has confirmed", async () => {
    const proposed = await proposeRefund(merchant.byMember(), await lateMoney(), "Paid late.");
    report(proposed, settledOf());
    await receiveHint(proposed);
    expect([await stateOf(proposed), await balances()]).toEqual(["proposed", KEPT]);
  });
});
