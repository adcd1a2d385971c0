// The payouts selected for deciding on several at once. A selection outlives the page of the list that it was made on.
"use client";
import { useState } from "react";
import { newestStates } from "../lists/newest-state";
import type { Payout } from "./payout";

/** The server's limit per call. */
export const MOST_AT_ONCE = 50;

const NONE: readonly Payout[] = [];

export interface Selection {
  /** False until something was selected. */
  readonly hasBegun: boolean;
  /** The payouts of this page that the member can select. */
  readonly selectable: readonly Payout[];
  /** All selected payouts, in the order of selection. */
  readonly chosen: readonly Payout[];
  readonly isSelectable: (payout: Payout) => boolean;
  readonly isSelected: (payout: Payout) => boolean;
  readonly toggle: (payout: Payout) => void;
  readonly setAll: (payouts: readonly Payout[], isSelected: boolean) => void;
  readonly clear: () => void;
}

/** A member can approve it. Members who can approve a payout can also cancel it. */
function isSelectable({ status, obstacle }: Payout): boolean {
  return status === "requires_approval" && obstacle === null;
}

/**
 * `rows` are the payouts of the page in view, `decided` later states of others. What has been decided meanwhile leaves the
 * selection; at most `MOST_AT_ONCE` are selected.
 */
export function useSelection(rows: readonly Payout[], decided: readonly Payout[]): Selection {
  const [selected, setSelected] = useState(NONE);
  const chosen = newestStates(selected, rows, decided).filter(isSelectable);
  const ids = new Set(chosen.map(({ id }) => id));

  function setAll(payouts: readonly Payout[], isToSelect: boolean): void {
    const others = chosen.filter(({ id }) => !payouts.some((payout) => payout.id === id));
    setSelected(isToSelect ? [...others, ...payouts].slice(0, MOST_AT_ONCE) : others);
  }

  return {
    hasBegun: selected !== NONE,
    selectable: rows.filter(isSelectable),
    chosen,
    isSelectable,
    isSelected: ({ id }) => ids.has(id),
    toggle: (payout) => setAll([payout], !ids.has(payout.id)),
    setAll,
    clear: () => setSelected([]),
  };
}
