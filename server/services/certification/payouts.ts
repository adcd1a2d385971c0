// The course of payouts in one currency: creation, repetition, another sum under the same reference, poll, end and callback.
import type { PayoutOutcome } from "@/server/domain/outcome";
import type { BalanceReader, PayoutRequest } from "@/server/psp/gateway";
import { certifyCallback } from "./callbacks";
import {
  afterCall,
  announced,
  ask,
  type Course,
  call,
  described,
  isSilent,
  newPayout,
  otherSum,
  poll,
  referenceIn,
  until,
} from "./course";
import { type Finding, failed, notPossible, passed } from "./step";

/** Runs all steps of one currency. */
export async function certifyPayouts(
  course: Course,
  currency: string,
  readBalances: BalanceReader | undefined,
): Promise<void> {
  const { step, gateway, recipient } = course;
  const subject = `payouts in ${currency}`;
  if (!recipient) {
    await step(subject, "create", () => notPossible("no recipient is known: see --account"));
    return;
  }
  const request = newPayout(course, recipient, currency);
  let first: PayoutOutcome = { kind: "unknown", detail: "not called" };
  const created = await step(subject, "create", async () => {
    first = await call((signal) => gateway.createPayout(announced(request), signal));
    if (first.kind !== "pending" && first.kind !== "settled") return failed(described(first));
    const other = otherSum(first, request);
    return other === null ? passed(described(first)) : failed(other);
  });
  if (created.result !== "passed") return;
  const known = afterCall(course, request, referenceIn(first));
  const balance = async () => {
    const balances = readBalances && (await ask((signal) => readBalances(signal, course.subAccount)));
    return balances?.find((one) => one.currency === currency)?.amount ?? null;
  };
  await step(subject, "repeat the creation", () => repeat(course, known, first, balance));
  await step(subject, "another sum under the same reference", () => repeatWithOtherSum(course, known, balance));
  await settle(course, subject, known);
  await certifyCallback(course, subject, request.reference);
}

type Balance = () => Promise<bigint | null>;

/** Returns why the calls within `act` have moved money, or null. */
async function movedBy(balance: Balance, amount: bigint, act: () => Promise<void>): Promise<string | null> {
  const before = await balance();
  await act();
  const after = await balance();
  if (before === null || after === null || before - after < amount) return null;
  return `the balance fell by ${before - after} (minor units)`;
}

/** A repeated reference gets the first result, or is refused; the money leaves once. */
async function repeat(course: Course, known: PayoutRequest, first: PayoutOutcome, balance: Balance): Promise<Finding> {
  let again: PayoutOutcome = first;
  const moved = await movedBy(balance, known.amount, async () => {
    again = await call((signal) => course.gateway.createPayout(announced(known), signal));
  });
  const [one, other] = [referenceIn(first), referenceIn(again)];
  if (one !== null && other !== null && one !== other) {
    return failed("the provider executed the same reference twice: its answers name two transfers");
  }
  if (moved !== null) return failed(`the provider executed the same reference twice: ${moved}`);
  if (again.kind === "never_accepted" || again.kind === "not_sent") return failed(described(again));
  const sum = otherSum(again, known);
  if (sum !== null) return failed(sum);
  return passed(again.kind === "unknown" ? `no second result: ${again.detail}` : "answered with the first result");
}

async function repeatWithOtherSum(course: Course, known: PayoutRequest, balance: Balance): Promise<Finding> {
  const doubled = { ...known, amount: known.amount * 2n };
  let again: PayoutOutcome = { kind: "unknown", detail: "not called" };
  const moved = await movedBy(balance, known.amount, async () => {
    again = await call((signal) => course.gateway.createPayout(announced(doubled), signal));
  });
  if (moved !== null) return failed(moved);
  const outcome: PayoutOutcome = again;
  if (!isSilent(outcome) && otherSum(outcome, known) !== null) return failed(`it was accepted: ${described(outcome)}`);
  return passed(described(outcome));
}

/** The payout ends; the poll then reports exactly the sum. */
async function settle(course: Course, subject: string, known: PayoutRequest): Promise<void> {
  const { step, gateway, tell } = course;
  const { reference, amount, currency } = known;
  const look = () => poll((signal) => gateway.queryPayout(known, signal, known.createdAt));
  await step(subject, "poll", async () => {
    const outcomes = await look();
    const silent = outcomes.find(isSilent);
    if (silent) return failed(described(silent));
    const other = outcomes.map((outcome) => otherSum(outcome, known)).find((text) => text !== null);
    return other ? failed(other) : passed(outcomes.map(described).join(", "));
  });
  await step(subject, "settle", async () => {
    tell({ kind: "settle", currency, reference, sum: { amount, currency } });
    const outcomes = await until(course, async () => {
      const found = await look();
      return found.some(({ kind }) => kind !== "pending" && kind !== "unknown") ? found : null;
    });
    if (!outcomes) return notPossible(`it did not end within ${Math.round(course.waitMs / 1_000)} s`);
    const other = outcomes.map((outcome) => otherSum(outcome, known)).find((text) => text !== null);
    if (other) return failed(other);
    const settled = outcomes.filter(({ kind }) => kind === "settled");
    if (settled.length === 1) return passed(`${amount} ${currency} (minor units) settled`);
    return failed(outcomes.map(described).join(", "));
  });
}
