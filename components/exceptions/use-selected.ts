// The open exceptions selected for deciding on several at once. A selection outlives the page of the list.
"use client";
import { useState } from "react";
import { MOST_EXCEPTIONS_AT_ONCE } from "@/server/domain/exceptions";
import type { PresentedException } from "@/server/trpc/exceptions";

export interface Selected {
  /** In the order of selection, in their newest state. */
  readonly chosen: readonly PresentedException[];
  isSelected(exception: PresentedException): boolean;
  toggle(exception: PresentedException): void;
  setAll(exceptions: readonly PresentedException[], isSelected: boolean): void;
  clear(): void;
}

const isOpen = ({ resolved_at: resolvedAt }: PresentedException) => resolvedAt === null;

/** `rows` are the exceptions of the page in view; what has been resolved meanwhile leaves the selection. */
export function useSelected(rows: readonly PresentedException[]): Selected {
  const [selected, setSelected] = useState<readonly PresentedException[]>([]);
  const chosen = selected.map((one) => rows.find(({ id }) => id === one.id) ?? one).filter(isOpen);
  const ids = new Set(chosen.map(({ id }) => id));

  function setAll(exceptions: readonly PresentedException[], isToSelect: boolean): void {
    const others = chosen.filter(({ id }) => !exceptions.some((one) => one.id === id));
    setSelected(isToSelect ? [...others, ...exceptions.filter(isOpen)].slice(0, MOST_EXCEPTIONS_AT_ONCE) : others);
  }

  return {
    chosen,
    isSelected: ({ id }) => ids.has(id),
    toggle: (exception) => setAll([exception], !ids.has(exception.id)),
    setAll,
    clear: () => setSelected([]),
  };
}
