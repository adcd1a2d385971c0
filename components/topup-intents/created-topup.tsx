// The instructions of a new top-up.
"use client";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import { formatAmount, plainAmount } from "../money/format-amount";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { Button, ButtonLink } from "../ui/button";
import { CopyLine } from "../ui/copy-line";
import { Dialog } from "../ui/dialog";

interface CreatedTopupProps {
  readonly result: inferRouterOutputs<AppRouter>["topupIntents"]["create"];
  readonly onClose: () => void;
}

export function CreatedTopup({ result: { topup, is_repeated: isRepeated }, onClose }: CreatedTopupProps) {
  const { environment } = useShell();
  const { destination, next_action: action, fx } = topup;
  const isPayable = action !== null && topup.status === "requires_payment";
  return (
    <Dialog title={isRepeated ? "This top-up exists already" : "Top-up created"} onClose={onClose}>
      <p className="text-sm">
        {isRepeated ? "Nothing new was created. " : ""}
        {isPayable ? (
          <>
            Send this amount to this address until <LocalTime iso={action.expires_at} />. Your wallet receives{" "}
            <strong className="figures">
              {formatAmount(destination.amount, destination.currency)} {destination.currency}
            </strong>{" "}
            at 1 {fx.source_currency} = {fx.rate} {fx.destination_currency}.
          </>
        ) : action === null ? (
          "The provider has not sent an address yet. The top-up’s page shows it when it arrives."
        ) : (
          "It no longer waits for a payment."
        )}
      </p>
      {isPayable ? (
        <dl className="rounded-md border border-line px-3.5">
          <CopyLine
            label="Amount"
            value={`${formatAmount(action.amount, action.currency)} ${action.currency}`}
            text={plainAmount(action.amount, action.currency)}
          />
          <CopyLine label="Network" value={action.network} />
          <CopyLine label="Address" value={action.address} isCode />
        </dl>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={onClose}>
          Close
        </Button>
        <ButtonLink size="medium" tone="primary" href={`/${environment}/topups/${topup.id}`}>
          View top-up
        </ButtonLink>
      </div>
    </Dialog>
  );
}
