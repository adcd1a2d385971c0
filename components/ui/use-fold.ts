// Content that unfolds beside its button. Escape, or a press elsewhere, folds it again.
"use client";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";

export interface Fold<Frame extends HTMLElement> {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  /** Folds it from inside and returns the focus to the button. */
  readonly shut: () => void;
  /** For the element around the button and the unfolded content. */
  readonly frame: RefObject<Frame | null>;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Initially folded. Escape returns the focus to the button. */
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
