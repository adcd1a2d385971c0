// The warnings about a payout: its recipient was never paid, or it repeats another.

import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { BADGE_TONES } from "../ui/badge";

export type PayoutWarnings = inferRouterOutputs<AppRouter>["payoutIntents"]["warnings"][number];

export const firstTimeIn = (texts: Texts) => texts("payouts.firstPayment");
export const repeatedIn = (texts: Texts) => texts("payouts.possibleDuplicate");

const MARK = `inline-flex h-5 items-center rounded-sm px-1.5 text-xs font-medium whitespace-nowrap ${BADGE_TONES.warn}`;

/** Two words per warning, for a row. */
export function WarningMarks({ warnings }: { readonly warnings: PayoutWarnings | undefined }) {
  const texts = useTexts();
  if (!warnings || (!warnings.is_first_time_recipient && !warnings.repeated)) return null;
  return (
    <span className="flex justify-end gap-1 max-md:justify-start">
      {warnings.is_first_time_recipient ? (
        <span className={MARK} title={firstTimeIn(texts)}>
          {texts("payouts.firstTime")}
        </span>
      ) : null}
      {warnings.repeated ? (
        <span className={MARK} title={repeatedIn(texts)}>
          {texts("payouts.duplicate")}
        </span>
      ) : null}
    </span>
  );
}
