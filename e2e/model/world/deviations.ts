// What distinguishes reports of money besides their status.
import type { Asked, Kind } from "./history";
import { SECOND_SETTLEMENT } from "./payout-provider";
import type { Report } from "./reports";

/** The deviating reports of each kind, as `deviationsOf` names them. Top-ups report totals, and never change their provider. */
export const DEVIATIONS: Readonly<Record<Kind, readonly string[]>> = {
  payment: [
    "succeeded, another sum",
    "succeeded, no reference",
    "succeeded, former provider",
    "pending, former provider",
  ],
  payout: [
    "settled, another sum",
    "settled, another reference",
    "settled, no reference",
    "settled, former provider",
    "pending, former provider",
  ],
  topup: [],
};

/** How a report on a payment or payout deviates from a report of the requested amount by the current provider. */
export function deviationsOf(report: Report, asked: Asked, isFormer: boolean): string[] {
  const { status, amount, currency, provider_reference: reference } = report;
  const isMoney = status === "succeeded" || status === "settled";
  const found = isFormer ? ["former provider"] : [];
  if (isMoney && (amount !== asked.amount.toString() || currency !== asked.currency)) found.push("another sum");
  if (isMoney && reference === undefined) found.push("no reference");
  if (reference === SECOND_SETTLEMENT) found.push("another reference");
  return found.map((deviation) => `${status}, ${deviation}`);
}
