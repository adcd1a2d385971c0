import Link from "next/link";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { BADGE_TONES } from "../ui/badge";
import { firstTimeIn, type PayoutWarnings, repeatedIn } from "./warning-marks";

/** The warnings as sentences, with a link to the other payout. */
export function WarningSentences({ warnings }: { readonly warnings: PayoutWarnings | undefined }) {
  const texts = useTexts();
  const { environment } = useShell();
  if (!warnings || (!warnings.is_first_time_recipient && !warnings.repeated)) return null;
  const { is_first_time_recipient: isFirst, repeated } = warnings;
  return (
    <ul className={`grid gap-1 rounded-md px-3.5 py-2.5 text-sm ${BADGE_TONES.warn}`}>
      {isFirst ? <li>{firstTimeIn(texts)}.</li> : null}
      {repeated ? (
        <li>
          {repeatedIn(texts)}:{" "}
          <Link
            href={`/${environment}/payouts/${repeated.id}`}
            prefetch={false}
            className="underline underline-offset-3"
          >
            {texts.rich("payouts.createdAgo", { age: () => <Age iso={repeated.created_at} /> })}
          </Link>
          .
        </li>
      ) : null}
    </ul>
  );
}
