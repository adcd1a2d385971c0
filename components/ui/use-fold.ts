// Owns what unfolds below or above its button: Escape, and a press elsewhere, fold it again.
"use client";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";

export interface Fold<Frame extends HTMLElement> {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  /** Folds it from inside, and gives the focus back to the button. */
  readonly shut: () => void;
  /** Of the element around the button and what it unfolds. */
  readonly frame: RefObject<Frame | null>;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Folded at first. Escape gives the focus back to the button. */
export function useFold<Frame extends HTMLElement = HTMLDivElement>(): Fold<Frame> {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<Frame>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const onPointer = (event: PointerEvent) => {
      if (!frame.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", onPointer);
    return () => document.removeEventListener("pointerdown", onPointer);
  }, [isOpen]);

  function shut(): void {
    setOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    shut();
  }

  return { isOpen, setOpen, shut, frame, button, onKeyDown };
}
