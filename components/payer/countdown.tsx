// The remaining time, as a clock and a shrinking bar.
"use client";
import { useEffect, useState } from "react";
import { remainingText } from "./local-time";

interface CountdownProps {
  /** ISO 8601, all three by the server's clock. */
  readonly from: string;
  readonly until: string;
  readonly now: string;
  /** An IETF tag. */
  readonly locale: string;
  readonly words: { readonly left: string; readonly isUp: string };
}

/** Counts down by the server's clock, independent of the reader's. */
export function Countdown({ from, until, now, locale, words }: CountdownProps) {
  const end = Date.parse(until);
  const [left, setLeft] = useState(end - Date.parse(now));
  useEffect(() => {
    const ahead = Date.now() - Date.parse(now);
    const timer = setInterval(() => setLeft(end - (Date.now() - ahead)), 1_000);
    return () => clearInterval(timer);
  }, [end, now]);

  const share = Math.min(1, Math.max(0, left / (end - Date.parse(from))));
  return (
    <div className="grid gap-2 print:hidden">
      <div className="flex items-baseline justify-between gap-3">
        <span className="caption">{words.left}</span>
        {/* The browser may know other abbreviations than the server. */}
        <span role="timer" className="figures font-medium" suppressHydrationWarning>
          {left > 0 ? remainingText(left, locale) : words.isUp}
        </span>
      </div>
      <svg className="h-1 w-full rounded-full bg-line rtl:-scale-x-100" aria-hidden="true">
        <rect width={`${(share * 100).toFixed(2)}%`} height="100%" className="fill-accent" />
      </svg>
    </div>
  );
}
