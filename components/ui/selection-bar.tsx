// The head of a list whose rows can be selected: a box for all of the page, and what can be done with those selected.

import type { ReactNode } from "react";
import { useTexts } from "../i18n/use-texts";
import { Button } from "./button";

interface SelectionBarProps {
  /** The number of rows that are selected, also on other pages. */
  readonly count: number;
  /** True if every row of the page is selected. */
  readonly isAll: boolean;
  /** True if no row of the page can be selected. */
  readonly isDisabled: boolean;
  /** Stands in place of the number while nothing is selected. */
  readonly hint: string;
  readonly onToggleAll: () => void;
  readonly onClear: () => void;
  /** The buttons that act on those selected. */
  readonly children: ReactNode;
}

/** As high with a selection as without, so that the rows stay in place. */
export function SelectionBar({ count, isAll, isDisabled, hint, onToggleAll, onClear, children }: SelectionBarProps) {
  const texts = useTexts();
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2 text-sm">
      <label className="flex min-h-6 items-center gap-3">
        <input
          type="checkbox"
          aria-label={texts("common.selectPage")}
          checked={isAll}
          disabled={isDisabled}
          onChange={onToggleAll}
          className="size-6 accent-accent"
        />
        <output className={count > 0 ? "font-medium" : "text-ink-soft"}>
          {count > 0 ? texts("common.countSelected", { count }) : hint}
        </output>
      </label>
      {count > 0 ? (
        <div className="ml-auto flex flex-wrap gap-2">
          <Button size="small" tone="quiet" onClick={onClear}>
            {texts("common.clear")}
          </Button>
          {children}
        </div>
      ) : null}
    </div>
  );
}
