// A browser can forbid copying, for example on plain http; that is a separate state.
"use client";
import { useEffect, useState } from "react";

const SHOWN_FOR_MS = 2_000;

export type CopyState = "idle" | "copied" | "failed";

/** The state of the last copy, which returns to idle after two seconds, and the function that copies. */
export function useCopy(): readonly [CopyState, (text: string) => void] {
  const [state, setState] = useState<CopyState>("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (text: string) => {
    writeText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  return [state, copy];
}

async function writeText(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error("this page may not write to the clipboard");
  await navigator.clipboard.writeText(text);
}
