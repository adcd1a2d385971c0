// Compares what the service did with what it had to do; every difference is one violation as text.
import type { Actual, Expectation } from "./observation";

const sums = (all: Readonly<Record<string, bigint>>) =>
  Object.entries(all)
    .filter(([, amount]) => amount !== 0n)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([currency, amount]) => `${amount} ${currency}`)
    .join(", ");

/** The required events of a status: one if a payment or payout has ended, none otherwise (interface section 6). */
function eventsFor(kind: string, status: string): string[] {
  const isTerminal = ["succeeded", "failed", "expired", "cancelled"].includes(status);
  return isTerminal && kind !== "topup" ? [`${kind}_intent.${status}`] : [];
}

/** All violations; empty if the service was right. */
export function violationsOf(kind: string, expected: Expectation, actual: Actual): string[] {
  const found: string[] = [];
  const differ = (what: string, should: string, is: string) => {
    if (should !== is) found.push(`${what} should be ${should || "nothing"}, is ${is || "nothing"}`);
  };
  if (!expected.statuses.includes(actual.status)) differ("status", expected.statuses.join(" or "), actual.status);
  else if (expected.statuses.length === 1)
    differ("failure_code", String(expected.failureCode), String(actual.failureCode));
  differ("wallet", expected.wallet.toString(), actual.wallet.toString());
  differ("held", expected.held.toString(), actual.held.toString());
  differ("suspense", sums(expected.suspense), sums(actual.suspense));
  differ("events", eventsFor(kind, actual.status).join(", "), actual.events.join(", "));
  for (const exception of expected.exceptions) {
    if (!actual.exceptions.includes(exception)) found.push(`no exception ${exception} was opened`);
  }
  const allowed = new Set([...expected.exceptions, ...expected.tolerated]);
  for (const exception of new Set(actual.exceptions)) {
    if (!allowed.has(exception)) found.push(`an exception ${exception} was opened without cause`);
  }
  return found;
}
