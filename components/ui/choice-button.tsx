// One of a few choices in a row, of which one is selected.
import type { ReactNode } from "react";
import { classNames } from "./class-names";

interface ChoiceButtonProps {
  readonly isChosen: boolean;
  /** For a choice that unfolds more fields. */
  readonly isExpanded?: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

export function ChoiceButton({ isChosen, isExpanded, onChoose, children }: ChoiceButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-expanded={isExpanded}
      onClick={onChoose}
      className={classNames(
        "min-h-9 rounded-md px-3 text-sm transition-colors duration-150",
        isChosen ? "bg-ink font-medium text-canvas" : "text-ink-soft hover:bg-sunken hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}
