// Owns what a dialog says when its payout was decided by somebody else in the meantime.
import { Notice } from "../ui/notice";
import { StatusBadge } from "../ui/status-badge";
import type { Payout } from "./payout";

/** The state it is in now, and what it was cancelled for. */
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
