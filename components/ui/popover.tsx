"use client";
import { type ReactNode, useId } from "react";
import { Button } from "./button";
import { classNames } from "./class-names";
import { type Fold, useFold } from "./use-fold";

interface PopoverProps {
  readonly label: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Manages its own folded state. */
export function Popover(props: PopoverProps) {
  return <FoldedPopover fold={useFold()} {...props} />;
}

type FoldedPopoverProps = PopoverProps & { readonly fold: Fold<HTMLDivElement> };

/** The same, controlled from inside. */
export function FoldedPopover({ fold, label, className, children }: FoldedPopoverProps) {
  const { isOpen, setOpen, frame, button, onKeyDown } = fold;
  const id = useId();
  return (
    <div ref={frame} role="presentation" className={classNames("relative", className)} onKeyDown={onKeyDown}>
      <Button
        ref={button}
        size="medium"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </Button>
      {isOpen ? (
        <div
          id={id}
          className="absolute right-0 z-20 mt-1.5 min-w-52 rounded-md border border-line bg-surface p-1.5 shadow-raised"
        >
          {children}
        </div>
      ) : null}
    </div>
  );
}
