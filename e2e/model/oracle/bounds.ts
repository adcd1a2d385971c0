// What holds for every history, even if its reports leave open what has happened.
import type { History } from "../world/history";
import type { World } from "../world/world";
import type { Actual } from "./observation";
import { PERCENT } from "./topup-oracle";

/**
 * The largest amount, in destination units, that a top-up can have received. A provider reports totals, so the largest
 * confirmed total bounds all bookings.
 */
function largestValue(history: History, world: World): bigint {
  const percents = world.outbox
    .filter(({ report }) => report.status === "funds_seen" && report.currency === world.asked.currency)
    .map(({ report }) => (BigInt(report.amount ?? "0") * 100n) / world.asked.amount);
  const largest = percents.reduce((most, one) => (one > most ? one : most), 0n);
  return largest * PERCENT[history.terms].value;
}

/** Violations of the bounds of a disputed top-up. */
export function boundViolations(history: History, world: World, actual: Actual, destination: string): string[] {
  const { credit, value } = PERCENT[history.terms];
  const booked = (actual.wallet * value) / credit + (actual.suspense[destination] ?? 0n);
  const largest = largestValue(history, world);
  const found: string[] = [];
  if (booked > largest) found.push(`booked ${booked} ${destination}, but at most ${largest} was ever reported`);
  if (actual.wallet < 0n) found.push(`the wallet lost ${-actual.wallet} by a top-up`);
  return found;
}

/** Violations that only the provider's own record shows. */
export function truthViolations(
  history: History,
  world: World,
  actual: Actual,
  sentAfterAcceptance: boolean,
): string[] {
  const found: string[] = [];
  if (sentAfterAcceptance)
    found.push("a creation call was made although the provider had shown that it has the intent");
  if (history.kind === "payout" && actual.status === "failed" && actual.failureCode === "provider_unavailable") {
    // A provider that lost its record before it showed anything cannot be known to have paid.
    const isOnRecord = world.payout.settled && world.record.isAccepted;
    if (isOnRecord) found.push("the hold of a payout was released that the provider had settled");
  }
  return found;
}
