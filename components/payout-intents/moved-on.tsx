// The message of a dialog whose payout somebody else has decided in the meantime.

import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { Notice } from "../ui/notice";
import { STATUS_LOOKS } from "../ui/status-badge";
import type { Payout } from "./payout";

/** The title of such a dialog. */
export const movedOnTitleIn = (texts: Texts) => texts("payouts.noLongerWaiting");

/** The present state, and the reason of a cancellation. */
export function MovedOn({ payout }: { readonly payout: Payout }) {
  const texts = useTexts();
  return (
    <Notice tone="plain" role="alert">
      <p>
        {texts.rich("payouts.movedOn", {
          status: () => <strong>{texts(STATUS_LOOKS[payout.status].labelKey).toLowerCase()}</strong>,
        })}
      </p>
      {payout.failure_message ? (
        <p className="mt-1">{texts("payouts.reasonGiven", { failureMessage: payout.failure_message })}</p>
      ) : null}
    </Notice>
  );
}
