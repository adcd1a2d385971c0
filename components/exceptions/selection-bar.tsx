// The head of the list, with a box for all open exceptions of the page, and the buttons to decide on those selected.
"use client";
import type { PresentedException } from "@/server/trpc/exceptions";
import { Button } from "../ui/button";
import type { Selected } from "./use-selected";

interface SelectionBarProps {
  /** The open exceptions of this page. */
  readonly open: readonly PresentedException[];
  readonly selected: Selected;
  readonly onAsk: (act: "take" | "resolve") => void;
}

/** As high with a selection as without, so that the rows stay in place. */
export function SelectionBar({ open, selected, onAsk }: SelectionBarProps) {
  const { chosen, isSelected, setAll, clear } = selected;
  const isAll = open.length > 0 && open.every(isSelected);
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2 text-sm">
      <label className="flex min-h-6 items-center gap-3">
        <input
          type="checkbox"
          aria-label="Select all on this page"
          checked={isAll}
          disabled={open.length === 0}
          onChange={() => setAll(open, !isAll)}
          className="size-6 accent-accent"
        />
        <output className={chosen.length > 0 ? "font-medium" : "text-ink-soft"}>
          {chosen.length > 0 ? `${chosen.length} selected` : "Select to decide on several"}
        </output>
      </label>
      {chosen.length > 0 ? (
        <div className="ml-auto flex flex-wrap gap-2">
          <Button size="small" tone="quiet" onClick={clear}>
            Clear
          </Button>
          <Button size="small" onClick={() => onAsk("take")}>
            Assign to me
          </Button>
          <Button size="small" tone="primary" onClick={() => onAsk("resolve")}>
            Resolve…
          </Button>
        </div>
      ) : null}
    </div>
  );
}
