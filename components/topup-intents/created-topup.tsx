// The instructions of a new top-up.
"use client";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { plainAmount } from "../money/plain-amount";
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
  const texts = useTexts();
  const { environment } = useShell();
  const { destination, next_action: action, fx } = topup;
  const isPayable = action !== null && topup.status === "requires_payment";
  return (
    <Dialog
      title={isRepeated ? texts("topups.thisTopupExistsAlready") : texts("topups.topupCreated")}
      onClose={onClose}
    >
      <p className="text-sm">
        {isRepeated ? texts("topups.nothingNewWasCreated") : ""}
        {isPayable ? (
          <>
            {texts.rich("topups.addressHint", {
              localTime: () => <LocalTime iso={action.expires_at} />,
              strong: (words) => <strong className="figures">{words}</strong>,
              amount: formatAmount(texts, destination.amount, destination.currency),
              currency: destination.currency,
              sourceCurrency: fx.source_currency,
              rate: fx.rate,
              destinationCurrency: fx.destination_currency,
            })}
          </>
        ) : action === null ? (
          texts("topups.addressMissing")
        ) : (
          texts("topups.noLongerWaiting")
        )}
      </p>
      {isPayable ? (
        <dl className="rounded-md border border-line px-3.5">
          <CopyLine
            label={texts("topups.amount")}
            value={`${formatAmount(texts, action.amount, action.currency)} ${action.currency}`}
            text={plainAmount(action.amount, action.currency)}
          />
          <CopyLine label={texts("topups.network")} value={action.network} />
          <CopyLine label={texts("topups.address")} value={action.address} isCode />
        </dl>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={onClose}>
          {texts("topups.close")}
        </Button>
        <ButtonLink size="medium" tone="primary" href={`/${environment}/topups/${topup.id}`}>
          {texts("topups.viewTopup")}
        </ButtonLink>
      </div>
    </Dialog>
  );
}
