// A short remaining time that stays current, with the instant on hover.
"use client";
import { useTexts } from "../i18n/use-texts";
import { classNames } from "../ui/class-names";
import { leftText, utcText, zonedText } from "./instant-text";
import { useTimeZone } from "./time-zone";
import { useHydrated } from "./use-hydrated";
import { useNow } from "./use-now";

const URGENT_MS = 24 * 60 * 60 * 1_000;

interface TimeLeftProps {
  /** ISO 8601. */
  readonly iso: string;
  /** For times that are always short: never emphasized. */
  readonly isCalm?: boolean;
}

/** Emphasized on the last day. Renders nothing until hydration, since the server does not know the reader's clock. */
export function TimeLeft({ iso, isCalm = false }: TimeLeftProps) {
  const texts = useTexts();
  const isHydrated = useHydrated();
  const zone = useTimeZone();
  const left = Date.parse(iso) - useNow();
  if (!isHydrated) return null;
  return (
    <time
      dateTime={iso}
      title={`${zonedText(texts, iso, zone)} (${utcText(texts, iso)})`}
      className={classNames("figures", !isCalm && left < URGENT_MS && "font-medium text-warn")}
    >
      {leftText(texts, left)}
    </time>
  );
}
