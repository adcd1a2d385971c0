// The message of a dialog whose payout somebody else has decided in the meantime.
import { Notice } from "../ui/notice";
import { STATUS_LOOKS } from "../ui/status-badge";
import type { Payout } from "./payout";

/** The title of such a dialog. */
export const MOVED_ON_TITLE = "No longer waiting";

/** The present state, and the reason of a cancellation. */
export function MovedOn({ payout }: { readonly payout: Payout }) {
  return (
    <Notice tone="plain" role="alert">
      <p>
        Somebody was faster: this payout no longer waits for a decision. It is now{" "}
        <strong>{STATUS_LOOKS[payout.status].label.toLowerCase()}</strong>.
      </p>
      {payout.failure_message ? <p className="mt-1">Reason: {payout.failure_message}</p> : null}
    </Notice>
  );
}
