"use client";
import { Check, Copy, TextCursorInput } from "lucide-react";
import { Button, type ButtonTone } from "./button";
import { useCopy } from "./use-copy";

interface CopyButtonProps {
  readonly text: string;
  /** The copied thing, for screen readers: "Copy account number". */
  readonly what: string;
  readonly tone?: ButtonTone;
}

const STATES = {
  idle: { Icon: Copy, word: "Copy" },
  copied: { Icon: Check, word: "Copied" },
  failed: { Icon: TextCursorInput, word: "Select it" },
} as const;

/** Copies `text`. Its width stays while its word changes. If copying is not allowed, it asks to select the text. */
export function CopyButton({ text, what, tone = "quiet" }: CopyButtonProps) {
  const [state, copy] = useCopy();
  const { Icon, word } = STATES[state];
  return (
    <>
      <Button
        tone={tone}
        size="small"
        className="min-w-21 shrink-0"
        aria-label={`Copy ${what}`}
        onClick={() => copy(text)}
      >
        <Icon className="size-4" aria-hidden="true" />
        <span aria-hidden="true">{word}</span>
      </Button>
      <output className="sr-only">{state === "copied" ? `Copied ${what}` : ""}</output>
    </>
  );
}
