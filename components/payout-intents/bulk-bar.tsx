// Owns choosing several payouts: how many, how much per currency, and approving them together.
"use client";
import { lazy, Suspense, useState } from "react";
import { Button } from "../ui/button";
import type { Payout } from "./payout";
import { sumsOf } from "./sums";

const BulkDialog = lazy(() => import("./bulk-dialog"));

/** What the server takes at once. */
const MAXIMUM = 50;

interface BulkBarProps {
  /** What could be approved on this page. */
  readonly selectable: readonly Payout[];
  readonly chosen: readonly Payout[];
  readonly onSelect: (payouts: readonly Payout[]) => void;
  readonly onDone: () => void;
}

/** Stays at the lower edge while something is chosen. */
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
