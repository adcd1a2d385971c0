// What came of creating a payout.
"use client";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
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
  const { environment } = useShell();
  const { payout, is_repeated: isRepeated } = result;
  return (
    <Dialog title={isRepeated ? "This payout exists already" : "Payout created"} onClose={onClose}>
      <p className="text-sm">
        <strong className="figures">{sumAndRecipient(payout)}</strong>, reference {payout.merchant_reference}.{" "}
        {isRepeated ? "Nothing new was created." : nextText(payout)}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={onClose}>
          Close
        </Button>
        <Button size="medium" onClick={onAnother}>
          Create another
        </Button>
        <ButtonLink size="medium" tone="primary" href={`/${environment}/payouts/${payout.id}`}>
          View payout
        </ButtonLink>
      </div>
    </Dialog>
  );
}

function nextText({ status, approvals_required: required }: CreationResult["payout"]): string {
  if (status !== "requires_approval") return "Your approval policy asks for no approval; it is sent now.";
  const whom = required === 1 ? "Another member" : `${required} other members`;
  return `${whom} must approve it before it is sent.`;
}
