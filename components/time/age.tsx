// A short age that stays current, with the instant on hover.
"use client";
import { ageText, utcText, zonedText } from "./instant-text";
import { useTimeZone } from "./time-zone";
import { useHydrated } from "./use-hydrated";
import { useNow } from "./use-now";

interface AgeProps {
  /** ISO 8601. */
  readonly iso: string;
}

/** Shows the date until hydration, since the server does not know the reader's clock. */
export function Age({ iso }: AgeProps) {
  const isHydrated = useHydrated();
  const zone = useTimeZone();
  const now = useNow();
  return (
    <time
      dateTime={iso}
      title={isHydrated ? `${zonedText(iso, zone)} (${utcText(iso)})` : utcText(iso)}
      className="figures"
    >
      {isHydrated ? ageText(now - Date.parse(iso)) : utcText(iso)}
    </time>
  );
}
