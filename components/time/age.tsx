// A short age that stays current, with the instant on hover.
"use client";
import { useTexts } from "../i18n/use-texts";
import { ageText, utcText, zonedText } from "./instant-text";
import { useTimeZone } from "./time-zone";
import { useHydrated } from "./use-hydrated";
import { useNow } from "./use-now";

interface AgeProps {
  /** ISO 8601. */
  readonly iso: string;
}

/**
 * Until hydration it is by the server's clock, which may differ from the reader's: a date in its place would be wider, and what
 * is beside it would move.
 */
export function Age({ iso }: AgeProps) {
  const texts = useTexts();
  const isHydrated = useHydrated();
  const zone = useTimeZone();
  const now = useNow();
  return (
    <time
      dateTime={iso}
      title={isHydrated ? `${zonedText(texts, iso, zone)} (${utcText(texts, iso)})` : utcText(texts, iso)}
      className="figures"
      suppressHydrationWarning
    >
      {ageText(texts, now - Date.parse(iso))}
    </time>
  );
}
