// The bar for selected payouts: their number, their sum per currency, and the button to approve them together.
"use client";
import { lazy, Suspense, useState } from "react";
import { Button } from "../ui/button";
import type { Payout } from "./payout";
import { sumsOf } from "./sums";

const BulkDialog = lazy(() => import("./bulk-dialog"));

/** The server's limit per call. */
const MAXIMUM = 50;

interface BulkBarProps {
  /** The payouts on this page that the member can approve. */
  readonly selectable: readonly Payout[];
  readonly chosen: readonly Payout[];
  readonly onSelect: (payouts: readonly Payout[]) => void;
  readonly onDone: () => void;
}

/** Stays at the lower edge while payouts are selected. */
export function BulkBar({ selectable, chosen, onSelect, onDone }: BulkBarProps) {
  const [asked, setAsked] = useState<readonly Payout[] | null>(null);
  return (
    <>
      {chosen.length > 0 ? (
        <div className="sticky bottom-4 z-10 flex flex-wrap items-center gap-x-5 gap-y-2 rounded-lg border border-line-strong bg-surface px-4 py-3 text-sm shadow-raised max-md:hidden">
          <output className="font-medium">{chosen.length} selected</output>
          <p className="figures text-ink-soft">{sumsOf(chosen).join(" · ")}</p>
          <div className="ml-auto flex flex-wrap gap-2">
            {chosen.length < selectable.length ? (
              <Button size="small" tone="quiet" onClick={() => onSelect(selectable.slice(0, MAXIMUM))}>
                Select all {selectable.length}
              </Button>
            ) : null}
            <Button size="small" tone="quiet" onClick={() => onSelect([])}>
              Clear
            </Button>
            <Button size="small" tone="primary" onClick={() => setAsked(chosen)}>
              Approve {chosen.length} selected
            </Button>
          </div>
        </div>
      ) : null}
      <Suspense>
        {asked ? (
          <BulkDialog
            payouts={asked}
            onDone={onDone}
            onClose={() => {
              setAsked(null);
              onSelect([]);
            }}
          />
        ) : null}
      </Suspense>
    </>
  );
}
