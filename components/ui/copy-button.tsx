"use client";
import { Check, Copy, TextCursorInput } from "lucide-react";
import { useTexts } from "../i18n/use-texts";
import { Button, type ButtonTone } from "./button";
import { type CopyState, useCopy } from "./use-copy";

/** The texts of a control that copies. */
export interface CopyWords extends Readonly<Record<CopyState, string>> {
  /** For screen readers: "Copy account number". */
  readonly act: string;
  /** What screen readers announce afterwards. */
  readonly done: string;
}

interface CopyControlProps {
  readonly text: string;
  readonly words: CopyWords;
  readonly tone?: ButtonTone;
}

const ICONS = { idle: Copy, copied: Check, failed: TextCursorInput } as const;

/** Copies `text`. Its width stays while its word changes. If copying is not allowed, it asks to select the text. */
export function CopyControl({ text, words, tone = "quiet" }: CopyControlProps) {
  const [state, copy] = useCopy();
  const Icon = ICONS[state];
  return (
    <>
      <Button tone={tone} size="small" className="min-w-21 shrink-0" aria-label={words.act} onClick={() => copy(text)}>
        <Icon className="size-4" aria-hidden="true" />
        <span aria-hidden="true">{words[state]}</span>
      </Button>
      <output className="sr-only">{state === "copied" ? words.done : ""}</output>
    </>
  );
}

interface CopyButtonProps extends Omit<CopyControlProps, "words"> {
  /** The copied thing: "account number". */
  readonly what: string;
}

/** The control in English. */
export function CopyButton({ what, ...control }: CopyButtonProps) {
  const texts = useTexts();
  const words = {
    idle: texts("copy.copy"),
    copied: texts("copy.copied"),
    failed: texts("copy.selectIt"),
    act: texts("copy.copyWhat", { what }),
    done: texts("copy.copiedWhat", { what }),
  };
  return <CopyControl {...control} words={words} />;
}
