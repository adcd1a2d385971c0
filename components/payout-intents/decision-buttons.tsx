// The buttons of a payout that awaits approval, and their dialogs, which are loaded on demand.
"use client";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { useMay } from "../shell/shell-context";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";
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
  const texts = useTexts();
  const mayDecide = useMay("decide_payouts");
  const [open, setOpen] = useState<"approve" | "cancel" | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const nextFocus = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open !== null) return;
    nextFocus.current?.focus();
    nextFocus.current = null;
  }, [open]);
  if (!mayDecide) return null;
  const isWaiting = payout.status === "requires_approval";
  const close = () => setOpen(null);
  const decided = (after: Payout) => {
    // The button that opened the dialog is about to go: the focus stays in its row or panel.
    const place = frame.current?.closest("tr, [data-panel]");
    nextFocus.current = place?.querySelector<HTMLElement>("[data-row-link], h2") ?? null;
    close();
    onDecided(after);
  };
  const isRow = size === "small";
  const look = isRow ? "max-md:min-h-11 max-md:grow max-md:text-sm" : "grow sm:grow-0";
  return (
    <div ref={frame} className={isRow ? "md:inline-flex" : undefined}>
      {isWaiting ? (
        <div className={classNames("flex gap-2", !isRow && "flex-wrap")}>
          <Button
            size={size}
            tone={isRow ? "row" : "primary"}
            className={look}
            disabled={payout.obstacle !== null}
            title={obstacleText(texts, payout) ?? undefined}
            aria-keyshortcuts="a"
            aria-label={texts("payouts.approveLabel", { sumAndRecipient: sumAndRecipient(texts, payout) })}
            onClick={() => setOpen("approve")}
          >
            {texts("payouts.approve")}
          </Button>
          <Button
            size={size}
            className={look}
            aria-keyshortcuts="c"
            aria-label={texts("payouts.cancelLabel", { sumAndRecipient: sumAndRecipient(texts, payout) })}
            onClick={() => setOpen("cancel")}
          >
            {texts("payouts.cancel")}
          </Button>
        </div>
      ) : null}
      <Suspense>
        {open === "approve" ? <ApproveDialog payout={payout} onClose={close} onDecided={decided} /> : null}
        {open === "cancel" ? <CancelDialog payout={payout} onClose={close} onDecided={decided} /> : null}
      </Suspense>
    </div>
  );
}
