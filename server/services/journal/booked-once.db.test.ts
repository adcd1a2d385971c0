// Money that a report has booked, or will book, is not booked by hand as well; what only the operator knows of is not taken for it.
import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { valueOf } from "@/server/domain/topup-funds";
import { env, provideRuntime } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { sendCallback } from "@/server/testing/callbacks";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { expireTopup, scriptedTopup } from "@/server/testing/topup";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { deriveReferences } from "../dispatch-references/prepare";
import { withoutIdempotency } from "../idempotency/completion";
import { forgetMerchantSettings } from "../merchants/settings";
import { createPaymentIntent } from "../payments/create";
import { confirmRefund } from "../refunds/decide";
import { confirmJournalEntry } from "./decide";
import { type JournalEntryInput, proposeJournalEntry } from "./propose";
import {
  balancesOf,
  bookFor,
  ENTRY,
  forgetIntent,
  importMissing,
  openException,
  proposeLateRefund,
  settleRefund,
  stageEntries,
} from "./testing/entries";

const KEY = randomBytes(32);
const DATABASE_URL = env().databaseUrl ?? "";

const stage = stageEntries();
afterEach(() => requireInvariants());

const book = (change: Partial<JournalEntryInput>, of = stage.merchant) => bookFor(of, change);
const balances = () => balancesOf(stage.merchant);

async function makeTopup(latePayment: "credit_actual" | "hold", isOver = true) {
  const policies = { overpayment: "hold", underpayment: "hold", latePayment } as const;
  const topup = await scriptedTopup(stage.merchant, { policies, isOver });
  if (isOver) await expireTopup(stage.merchant, topup);
  const tell = async (status: "funds_seen" | "funds_dropped", amount: bigint) => {
    const money = {
      amount: amount.toString(),
      currency: topup.sourceCurrency,
      confirmed: true,
      provider_reference: null,
    };
    await sendCallback(topup, { status, ...money });
    await applyDueCallbacks(1_000, 30_000);
  };
  return { topup, tell, owed: valueOf(topup.sourceAmount, topup) };
}

describe("a top-up", () => {
  it.each(["credit_actual", "hold"] as const)("whose funds came late (%s) is not booked by hand", async (policy) => {
    const { topup, tell, owed } = await makeTopup(policy);
    await importMissing("topup", topup.id, owed);
    const exceptionId = await openException(stage.merchant.merchantId, "missing_internal");
    await tell("funds_seen", topup.sourceAmount);
    const before = await balances();
    expect(before["provider_clearing:scripted"]).toBe(-owed);
    const amount = owed.toString();
    expect(await book({ amount, exceptionId })).toBe("validation_failed");
    expect(await book({ amount, about: topup.id })).toBe("validation_failed");
    expect(await balances()).toEqual(before);
  });

  it("whose funds came in parts is not booked by hand as a whole", async () => {
    const { topup, tell, owed } = await makeTopup("hold");
    await tell("funds_seen", topup.sourceAmount / 2n);
    await tell("funds_seen", topup.sourceAmount);
    const before = await balances();
    expect(await book({ amount: owed.toString(), about: topup.id })).toBe("validation_failed");
    expect(await balances()).toEqual(before);
  });

  it("that succeeded is not booked by hand", async () => {
    const { topup, tell, owed } = await makeTopup("hold", false);
    await tell("funds_seen", topup.sourceAmount);
    const before = await balances();
    expect(await book({ amount: owed.toString(), about: topup.id })).toBe("validation_failed");
    expect(await balances()).toEqual(before);
  });

  it.each(["fees", "bank"] as const)(
    "of which something was booked by hand from %s asks a person about dropped funds",
    async (from) => {
      const { topup, tell, owed } = await makeTopup("credit_actual");
      await tell("funds_seen", topup.sourceAmount);
      const amount = from === "fees" ? "30" : owed.toString();
      expect(await book({ from, to: "provider_clearing", amount, about: topup.id, isAdditional: true })).toBe(
        "confirmed",
      );
      const before = await balances();
      await tell("funds_seen", topup.sourceAmount);
      expect(await balances()).toEqual(before);
      await tell("funds_dropped", 0n);
      expect(await balances()).toEqual(before);
      expect(await openException(stage.merchant.merchantId, "ambiguous_receipt")).not.toBe("");
    },
  );
});

describe("a refund", () => {
  async function makeRefund() {
    const { intent, refund: proposed } = await proposeLateRefund(stage);
    const refund = await confirmRefund(stage.merchant.byMember(), proposed.id);
    await importMissing("refund", refund.reference, 1050n);
    const missing = await openException(stage.merchant.merchantId, "missing_internal");
    const settle = () => settleRefund(stage.merchant, refund.id);
    return { paymentId: intent.id, missing, settle };
  }

  const OUT = { from: "available", to: "provider_clearing" } as const;

  it("that has settled is not booked by hand", async () => {
    const { paymentId, missing, settle } = await makeRefund();
    await settle();
    const before = await balances();
    expect(await book({ ...OUT, exceptionId: missing })).toBe("validation_failed");
    expect(await book({ ...OUT, about: paymentId })).toBe("validation_failed");
    expect(await balances()).toEqual(before);
  });

  it("that is under way is not booked by hand, since its report books it", async () => {
    const { paymentId, missing, settle } = await makeRefund();
    expect(await book({ ...OUT, exceptionId: missing })).toBe("validation_failed");
    expect(await book({ ...OUT, about: paymentId })).toBe("validation_failed");
    await settle();
    expect((await balances())["provider_clearing:scripted"] ?? 0n).toBe(0n);
  });
});

it("money that is nobody's is not booked for another merchant than that of its intent", async () => {
  stage.provider.answer = { kind: "declined", message: null, providerReference: null };
  const { intent } = await createPaymentIntent(stage.merchant.context, payment(), withoutIdempotency());
  // It failed over before the first provider, whose file has the line, reported its money.
  await queryAsOwner(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payment_intent SET provider = 'other', routing = jsonb_set(routing, '{order}', '["scripted", "other"]')
     WHERE id = '${intent.id}'; COMMIT`,
  );
  await importMissing("payment", intent.dispatchReference, 1050n);
  const exceptionId = await openException("", "missing_internal", intent.id);
  const other = await makeLiveMerchant();
  expect(await book({ exceptionId }, other)).toBe("validation_failed");
  expect(await book({ exceptionId })).toBe("confirmed");
});

describe("a payment that two entries have booked by parts", () => {
  async function makeFailed() {
    stage.provider.answer = { kind: "declined", message: null, providerReference: null };
    return (await createPaymentIntent(stage.merchant.context, payment(), withoutIdempotency())).intent;
  }

  it("asks a person if its provider reports the whole", async () => {
    const intent = await makeFailed();
    for (const amount of ["500", "550"]) expect(await book({ amount, about: intent.id })).toBe("confirmed");
    const before = await balances();
    await sendCallback(intent, { status: "succeeded", amount: "1050", currency: "BRL" });
    await applyDueCallbacks(1_000, 30_000);
    expect(await balances()).toEqual(before);
    expect(await openException(stage.merchant.merchantId, "ambiguous_receipt")).not.toBe("");
  });

  it("asks a person if its provider reports another sum", async () => {
    const intent = await makeFailed();
    for (const amount of ["500", "550"]) expect(await book({ amount, about: intent.id })).toBe("confirmed");
    const before = await balances();
    await sendCallback(intent, { status: "succeeded", amount: "900", currency: "BRL" });
    await applyDueCallbacks(1_000, 30_000);
    expect(await balances()).toEqual(before);
    expect(await openException(stage.merchant.merchantId, "ambiguous_receipt")).not.toBe("");
  });
});

it("of equal entries that are confirmed at once, one is booked and the others are refused", async () => {
  for (let round = 0; round < 5; round += 1) {
    stage.provider.answer = { kind: "declined", message: null, providerReference: null };
    const { intent } = await createPaymentIntent(stage.merchant.context, payment(), withoutIdempotency());
    const propose = () => proposeJournalEntry(stage.merchant.scope, "Maria", { ...ENTRY, about: intent.id });
    const entries = [await propose(), await propose(), await propose()];
    const ends = await Promise.allSettled(entries.map(({ id }) => confirmJournalEntry(id, "Jan")));
    const codes = ends.map((one) => (one.status === "fulfilled" ? "confirmed" : (one.reason as { code: string }).code));
    expect(codes.sort()).toEqual(["confirmed", "validation_failed", "validation_failed"]);
  }
});

describe("a line about a payment that a restore has lost", () => {
  it("is not booked by hand: the merchant repeats its request, and the report books it once", async () => {
    provideRuntime({ databaseUrl: DATABASE_URL, referenceKey: KEY });
    await deriveReferences();
    forgetMerchantSettings(stage.merchant.merchantId);
    stage.provider.answer = { kind: "pending", providerReference: null };
    const request = payment();
    const { intent: lost } = await createPaymentIntent(stage.merchant.context, request, withoutIdempotency());
    await forgetIntent(lost.id);
    await importMissing("payment", lost.dispatchReference, 1050n);
    const exceptionId = await openException("", "missing_internal", lost.dispatchReference);
    expect(await book({ exceptionId })).toBe("validation_failed");
    const { intent } = await createPaymentIntent(stage.merchant.context, request, withoutIdempotency());
    expect(intent.dispatchReference).toBe(lost.dispatchReference);
    expect(await book({ exceptionId, isAdditional: true }), "once it is known, and open").toBe("validation_failed");
    await sendCallback(intent, { status: "succeeded", amount: "1050", currency: "BRL" });
    await applyDueCallbacks(1_000, 30_000);
    expect(await book({ exceptionId }), "once it is booked").toBe("validation_failed");
    expect((await balances())["provider_clearing:scripted"]).toBe(-1050n);
  });

  it("is booked by hand if the operator says that the merchant will not repeat it", async () => {
    const reference = newId("paymentIntent");
    await importMissing("payment", reference, 1050n);
    const exceptionId = await openException("", "missing_internal", reference);
    expect(await book({ exceptionId })).toBe("validation_failed");
    expect(await book({ exceptionId, isAdditional: true })).toBe("confirmed");
  });
});
