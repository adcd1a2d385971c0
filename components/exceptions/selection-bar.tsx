// The head of the list, with a box for all open exceptions of the page, and the buttons to decide on those selected.
"use client";
import type { PresentedException } from "@/server/trpc/exceptions";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { SelectionBar } from "../ui/selection-bar";
import type { Selected } from "./use-selected";

interface ExceptionSelectionBarProps {
  /** The open exceptions of this page. */
  readonly open: readonly PresentedException[];
  readonly selected: Selected;
  readonly onAsk: (act: "assign" | "resolve") => void;
}

export function ExceptionSelectionBar({ open, selected, onAsk }: ExceptionSelectionBarProps) {
  const texts = useTexts();
  const { chosen, isSelected, setAll, clear } = selected;
  const isAll = open.length > 0 && open.every(isSelected);
  return (
    <SelectionBar
      count={chosen.length}
      isAll={isAll}
      isDisabled={open.length === 0}
      hint={texts("exceptions.selectSeveral")}
      onToggleAll={() => setAll(open, !isAll)}
      onClear={clear}
    >
      <Button size="small" onClick={() => onAsk("assign")}>
        {texts("exceptions.assign")}
      </Button>
      <Button size="small" tone="primary" onClick={() => onAsk("resolve")}>
        {texts("exceptions.openResolve")}
      </Button>
    </SelectionBar>
  );
}
