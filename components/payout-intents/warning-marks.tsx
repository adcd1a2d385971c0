// The warnings about a payout: its recipient was never paid, or it repeats another.
import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import type { AppRouter } from "@/server/trpc/router";
import { useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { BADGE_TONES } from "../ui/badge";

export type PayoutWarnings = inferRouterOutputs<AppRouter>["payoutIntents"]["warnings"][number];

const FIRST_TIME = "First payment to this account";
const REPEATED = "Same amount and account as another payout";

const MARK = `inline-flex h-5 items-center rounded-sm px-1.5 text-xs font-medium whitespace-nowrap ${BADGE_TONES.warn}`;

/** Two words per warning, for a row. */
export function WarningMarks({ warnings }: { readonly warnings: PayoutWarnings | undefined }) {
  if (!warnings || (!warnings.is_first_time_recipient && !warnings.repeated)) return null;
  return (
    <span className="flex justify-end gap-1 max-md:justify-start">
      {warnings.is_first_time_recipient ? (
        <span className={MARK} title={FIRST_TIME}>
          First time
        </span>
      ) : null}
      {warnings.repeated ? (
        <span className={MARK} title={REPEATED}>
          Duplicate?
        </span>
      ) : null}
    </span>
  );
}

/** The warnings as sentences, with a link to the other payout. */
export function WarningSentences({ warnings }: { readonly warnings: PayoutWarnings | undefined }) {
  const { environment } = useShell();
  if (!warnings || (!warnings.is_first_time_recipient && !warnings.repeated)) return null;
  const { is_first_time_recipient: isFirst, repeated } = warnings;
  return (
    <ul className={`grid gap-1 rounded-md px-3.5 py-2.5 text-sm ${BADGE_TONES.warn}`}>
      {isFirst ? <li>{FIRST_TIME}.</li> : null}
      {repeated ? (
        <li>
          {REPEATED}:{" "}
          <Link
            href={`/${environment}/payouts/${repeated.id}`}
            prefetch={false}
            className="underline underline-offset-3"
          >
            created <Age iso={repeated.created_at} />
          </Link>
          .
        </li>
      ) : null}
    </ul>
  );
}
