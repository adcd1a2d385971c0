// Proves that no report of vanished funds is lost, and that funds which vanished do not count as paid in time any more.

import { expect, it } from "vitest";
import { ADDRESS, after, sampleTopup } from "./testing/samples";
import { decideOnTopupOutcome, type TopupIntent } from "./topup-intent";
import type { KnownTotals, TotalStep } from "./topup-step";
import { TOPUP_STATUSES } from "./topup-transitions";

const ASKED = sampleTopup().sourceAmount;
const LATE = after(60 * 60_000);
const NOTHING: KnownTotals = { ordinal: 0, seen: null, reported: 0n, taken: 0n, dropped: 0n, restoredAt: null };

const dropped = (amount: bigint, currency = "USDT") =>
  ({ kind: "funds_dropped", amount, currency, providerReference: null }) as const;

function stepOf(intent: TopupIntent, outcome: Parameters<typeof decideOnTopupOutcome>[1], known = NOTHING) {
  const decision = decideOnTopupOutcome(intent, outcome, LATE);
  if (decision.kind !== "total") throw new TypeError(`${outcome.kind} is ${decision.kind}`);
  return decision.next(known);
}

const after1 = ({ seen, reported }: TotalStep): KnownTotals => ({ ...NOTHING, ordinal: 1, seen, reported });

it.each(TOPUP_STATUSES)("a drop in another token asks a person while the top-up is %s", (status) => {
  const decision = decideOnTopupOutcome(sampleTopup(status, { nextAction: ADDRESS }), dropped(5n, "BTC"), LATE);
  expect(decision).toEqual({
    kind: "contradiction",
    exception: {
      kind: "contradiction",
      objectId: sampleTopup().id,
      fact: `contradiction:${sampleTopup().id}:funds_dropped 5 BTC`,
      detail: {
        why: "The provider reports that funds were dropped, in a token other than the top-up's.",
        currency: "USDT",
        reported_amount: "5",
        reported_currency: "BTC",
        provider_reference: null,
      },
    },
  });
});

it("what vanished after the success is late when it comes again, as before the success", () => {
  const seenMore = { seenAmount: 2n * ASKED, receivedAmount: ASKED, reportedAmount: ASKED };
  const succeeded = sampleTopup("succeeded", seenMore);
  const again = {
    kind: "funds_seen",
    amount: 2n * ASKED,
    confirmed: true,
    currency: "USDT",
    providerReference: null,
  } as const;
  expect(stepOf(succeeded, again)).toMatchObject({ action: "wallet.overpayment" });
  const step = stepOf(succeeded, dropped(ASKED));
  expect(step).toMatchObject({ seen: ASKED, reported: ASKED, booking: null });
  if (!step) throw new TypeError("nothing was recorded");
  expect(stepOf(succeeded, dropped(ASKED), after1(step))).toBeNull();
  expect(stepOf(succeeded, again, after1(step))).toMatchObject({ action: "suspense.late_money" });
});
