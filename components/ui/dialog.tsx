// The browser's own dialog, which traps the focus, closes on Escape and restores the focus.
"use client";
import { X } from "lucide-react";
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import { useTexts } from "../i18n/use-texts";
import { classNames } from "./class-names";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `side` is a drawer from the left, `top` a narrow dialog near the top. */
  readonly tone?: "centre" | "side" | "top";
  /** For dialogs whose content makes their purpose clear. */
  readonly isTitleHidden?: boolean;
}

const LOOKS = {
  centre: "m-auto w-[min(32rem,calc(100vw-2rem))] rounded-lg",
  side: "m-0 mr-auto h-dvh max-h-dvh w-[min(18rem,calc(100vw-3rem))]",
  top: "mx-auto mt-[12vh] mb-auto w-[min(36rem,calc(100vw-2rem))] rounded-lg",
} as const;

/** Open while rendered. Focuses the element with `data-first-focus`, else the title. */
export function Dialog({ title, onClose, children, tone: look = "centre", isTitleHidden = false }: DialogProps) {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const close = useEffectEvent(onClose);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    element.showModal();
    (element.querySelector<HTMLElement>("[data-first-focus]") ?? document.getElementById(titleId))?.focus();
    const onCancel = (event: Event) => {
      event.preventDefault();
      close();
    };
    const onClick = (event: MouseEvent) => {
      if (event.target === element) close();
    };
    element.addEventListener("cancel", onCancel);
    element.addEventListener("click", onClick);
    return () => {
      element.removeEventListener("cancel", onCancel);
      element.removeEventListener("click", onClick);
      element.close();
    };
  }, [titleId]);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={classNames(
        "max-h-[calc(100dvh-2rem)] overflow-auto border border-line bg-surface p-0 text-ink shadow-raised backdrop:bg-black/45",
        // A dialog may stand in a cell of a table, whose words are aligned and broken in another way.
        "text-start whitespace-normal",
        LOOKS[look],
      )}
    >
      <div
        className={classNames(
          look === "side" && "h-dvh",
          !isTitleHidden && "grid grid-cols-[minmax(0,1fr)] gap-5 p-5 sm:p-6",
        )}
      >
        <div
          className={classNames(
            "flex items-start justify-between gap-4",
            isTitleHidden && "sr-only focus-within:not-sr-only focus-within:p-3",
          )}
        >
          <h2 id={titleId} tabIndex={-1} className="min-w-0 text-lg wrap-anywhere outline-none">
            {title}
          </h2>
          <button
            type="button"
            aria-label={texts("common.close")}
            onClick={onClose}
            className="-m-1.5 grid size-9 shrink-0 place-items-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
          >
            <X className="size-5" aria-hidden="true" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
