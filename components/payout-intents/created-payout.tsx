// What came of creating a payout.
"use client";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { Button, ButtonLink } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { sumAndRecipient } from "./payout";

export type CreationResult = inferRouterOutputs<AppRouter>["payoutIntents"]["create"];

interface CreatedPayoutProps {
  readonly result: CreationResult;
  readonly onAnother: () => void;
  readonly onClose: () => void;
}

export function CreatedPayout({ result, onAnother, onClose }: CreatedPayoutProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const { payout, is_repeated: isRepeated } = result;
  return (
    <Dialog
      title={isRepeated ? texts("payouts.thisPayoutExistsAlready") : texts("payouts.payoutCreated")}
      onClose={onClose}
    >
      <p className="text-sm">
        {texts.rich("payouts.createdSummary", {
          strong: (words) => <strong className="figures">{words}</strong>,
          sumAndRecipient: sumAndRecipient(texts, payout),
          merchantReference: payout.merchant_reference,
          next: isRepeated ? texts("payouts.nothingNewWasCreated") : nextText(texts, payout),
        })}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={onClose}>
          {texts("payouts.close")}
        </Button>
        <Button size="medium" onClick={onAnother}>
          {texts("payouts.createAnother")}
        </Button>
        <ButtonLink size="medium" tone="primary" href={`/${environment}/payouts/${payout.id}`}>
          {texts("payouts.viewPayout")}
        </ButtonLink>
      </div>
    </Dialog>
  );
}

function nextText(texts: Texts, { status, approvals_required: required }: CreationResult["payout"]): string {
  if (status !== "requires_approval") return texts("payouts.noApprovalNeeded");
  return texts("payouts.othersMustApproveFirst", { count: required });
}
