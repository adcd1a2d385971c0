// The buttons of a payout that awaits approval, and their dialogs, which are loaded on demand.
"use client";
import { lazy, Suspense, useState } from "react";
import { useMay } from "../shell/shell-context";
import { Button } from "../ui/button";
import { obstacleText, type Payout, sumAndRecipient } from "./payout";

const ApproveDialog = lazy(() => import("./approve-dialog"));
const CancelDialog = lazy(() => import("./cancel-dialog"));

interface DecisionButtonsProps {
  readonly payout: Payout;
  readonly onDecided: (payout: Payout) => void;
  readonly size?: "small" | "medium";
}

/** Renders nothing for members who cannot decide. An open dialog outlives its buttons to show the payout's result. */
export function DecisionButtons({ payout, onDecided, size = "small" }: DecisionButtonsProps) {
  const mayDecide = useMay("decide_payouts");
  const [open, setOpen] = useState<"approve" | "cancel" | null>(null);
  if (!mayDecide) return null;
  const isWaiting = payout.status === "requires_approval";
  const close = () => setOpen(null);
  const decided = (after: Payout) => {
    close();
    onDecided(after);
  };
  return (
    <>
      {isWaiting ? (
        <div className="flex flex-wrap gap-2">
          <Button
            size={size}
            tone="primary"
            disabled={payout.obstacle !== null}
            title={obstacleText(payout) ?? undefined}
            aria-label={`Approve ${sumAndRecipient(payout)}`}
            onClick={() => setOpen("approve")}
          >
            Approve
          </Button>
          <Button size={size} aria-label={`Cancel ${sumAndRecipient(payout)}`} onClick={() => setOpen("cancel")}>
            Cancel
          </Button>
        </div>
      ) : null}
      <Suspense>
        {open === "approve" ? <ApproveDialog payout={payout} onClose={close} onDecided={decided} /> : null}
        {open === "cancel" ? <CancelDialog payout={payout} onClose={close} onDecided={decided} /> : null}
      </Suspense>
    </>
  );
}
