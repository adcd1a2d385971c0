// The message of a dialog whose payout somebody else has decided in the meantime.
import { Notice } from "../ui/notice";
import { StatusBadge } from "../ui/status-badge";
import type { Payout } from "./payout";

/** The present state, and the reason of a cancellation. */
export function MovedOn({ payout }: { readonly payout: Payout }) {
  return (
    <Notice tone="plain" role="alert">
      <p className="flex flex-wrap items-center gap-2">
        Somebody was faster: this payout is no longer waiting. <StatusBadge status={payout.status} />
      </p>
      {payout.failure_message ? <p className="mt-1">Reason: {payout.failure_message}</p> : null}
    </Notice>
  );
}
