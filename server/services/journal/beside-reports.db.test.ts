// Reports of payments and payouts of which people have booked or decided something: what is not booked asks, and nothing is booked twice.
import { afterEach, describe, expect, it } from "vitest";
import { findRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import type { Settlement } from "@/server/domain/suspense";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { resolveException } from "../exceptions/decide";
import { settleException } from "../exceptions/settle";
import { confirmRefund, rejectRefund } from "../refunds/decide";
import { followUpRefund } from "../refunds/follow-up";
import type { JournalEntryInput } from "./propose";
import {
  clearingOf,
  exceptionOfLine,
  importRows,
  makePayment,
  makePayout,
  openExceptions,
  openKinds,
  operatorFor,
  reportPaid,
  row,
} from "./testing/beside";
import { balancesOf, bookFor, openException, proposeLateRefund, stageEntries } from "./testing/entries";

const OPENING = 1_000_000_000n;

const stage = stageEntries();
afterEach(() => requireInvariants());

const book = (change: Partial<JournalEntryInput>) => bookFor(stage.merchant, change);
const balances = () => balancesOf(stage.merchant);
const clearing = () => clearingOf(stage.merchant);
const kinds = () => openKinds(stage.merchant.merchantId);

describe("a payment", () => {
  it("asks a person about a report of what another report and an entry come to", async () => {
    const intent = await makePayment(stage, "declined");
    await reportPaid(intent, "500", { provider_reference: "px-1" });
    expect(await book({ amount: "550", about: intent.id })).toBe("confirmed");
    const before = await balances();
    await reportPaid(intent, "1050", { provider_reference: "px-2" });
    expect(await balances()).toEqual(before);
    expect(await kinds()).toEqual(["ambiguous_receipt", "late_money"]);
  });

  it("asks a person about each further sum, and about none twice", async () => {
    const intent = await makePayment(stage, "declined");
    expect(await book({ about: intent.id })).toBe("confirmed");
    const before = await balances();
    for (const amount of ["1050", "550", "500", "500"])
      await reportPaid(intent, amount, { provider_reference: `px-${amount}` });
    expect(await balances()).toEqual(before);
    expect(await kinds()).toEqual(Array(3).fill("ambiguous_receipt"));
  });
});

describe("a payout that was reported settled after it had failed", () => {
  async function makeSettledLate() {
    const { intent, tell } = await makePayout(stage);
    await tell("declined");
    await tell("settled", "25000");
    const exceptions = await openExceptions(stage.merchant.merchantId);
    const late = exceptions.find(({ detail }) => detail["amount"] === "-25000")?.id ?? "";
    const by = await operatorFor(stage.merchant);
    const settle = (id: string, as: Settlement) =>
      settleException(by, id, as, "The provider says so.").then(
        () => "settled",
        (error: { code?: string }) => error.code,
      );
    return { intent, tell, late, settle };
  }

  it("and whose money a person has found back asks about the report that it came back", async () => {
    const { tell, late, settle } = await makeSettledLate();
    expect(await settle(late, "restore")).toBe("settled");
    const before = await balances();
    expect(before).toEqual({ available: OPENING, funding: expect.anything() });
    await tell("returned", "25000", "ret-1");
    expect(await balances()).toEqual(before);
    expect(await kinds()).toEqual(["ambiguous_receipt"]);
  });

  it.each(["before", "after"])("is not found back as well as returned (%s the return is decided on)", async (when) => {
    const { tell, late, settle } = await makeSettledLate();
    await tell("returned", "25000", "ret-1");
    const exceptions = await openExceptions(stage.merchant.merchantId);
    const returned = exceptions.find(({ detail }) => detail["amount"] === "25000")?.id ?? "";
    const restore = () => settle(late, "restore");
    const credit = () => settle(returned, "credit");
    const ends: (string | undefined)[] = [];
    for (const decide of when === "before" ? [restore, credit] : [credit, restore]) ends.push(await decide());
    expect(ends.sort()).toEqual(["settled", "validation_failed"]);
    expect(await kinds()).toEqual(["late_money"]);
    expect(await settle(late, "recover")).toBe("settled");
    expect(await clearing()).toBe(0n);
    expect((await balances())["available"]).toBe(OPENING);
  });

  it("is not found back once an entry has booked its return", async () => {
    const { intent, late, settle } = await makeSettledLate();
    expect(await book({ amount: "25000", about: intent.id })).toBe("confirmed");
    expect(await settle(late, "restore")).toBe("validation_failed");
    expect(await clearing()).toBe(0n);
  });

  it("is found back beside the return of another settlement", async () => {
    const { tell, late, settle } = await makeSettledLate();
    await tell("settled", "10000", "out-2");
    await tell("returned", "10000", "ret-1");
    expect(await settle(late, "restore")).toBe("settled");
    expect(await clearing()).toBe(0n);
  });
});

describe("a payout that settled", () => {
  it("asks a person about a first part that came back, once entries have booked the whole", async () => {
    const { intent, tell } = await makePayout(stage);
    await tell("settled", "25000");
    expect(await book({ amount: "25000", about: intent.id })).toBe("confirmed");
    await tell("returned", "10000", "ret-1");
    expect(await clearing()).toBe(0n);
    expect((await balances())["available"]).toBe(OPENING);
    expect(await kinds()).toEqual(["ambiguous_receipt"]);
  });
});

describe("late money that was refunded at the provider", () => {
  const OUT = { from: "available", to: "provider_clearing" } as const;

  async function rejected() {
    const { intent, refund } = await proposeLateRefund(stage);
    await rejectRefund(stage.merchant.byMember(), refund.id);
    return intent.dispatchReference;
  }

  async function declined() {
    const { refund } = await proposeLateRefund(stage);
    await confirmRefund(stage.merchant.byMember(), refund.id);
    stage.refunding.next = ["declines"];
    await followUpRefund((await findRefund(stage.merchant.scope, refund.id)) as StoredRefund, now);
    expect((await findRefund(stage.merchant.scope, refund.id))?.state).toBe("failed");
    return refund.reference;
  }

  it.each([
    ["rejected here", rejected],
    ["declined by the provider", declined],
  ])("is not booked by the line of a refund that was %s", async (_, make) => {
    const reference = await make();
    const late = await openException(stage.merchant.merchantId, "late_money");
    await settleException(stage.merchant.byMember(), late, "refund", "Sent back at the provider's own dashboard.");
    const lineId = newId("event");
    await importRows(row({ lineId, kind: "refund", amount: 1050, reference }));
    const missing = await exceptionOfLine(stage.merchant.merchantId, "missing_internal", lineId);
    expect(missing).not.toBe("");
    expect(await book({ ...OUT, exceptionId: missing })).toBe("validation_failed");
    await resolveException(stage.merchant.byMember(), missing, "It is booked.");
    expect(await clearing()).toBe(0n);
  });
});
