// An instant on a page: in UTC until hydration, then in the reader's zone.
"use client";
import { useTexts } from "../i18n/use-texts";
import { utcText, zonedText } from "./instant-text";
import { useTimeZone } from "./time-zone";
import { useHydrated } from "./use-hydrated";

interface LocalTimeProps {
  /** ISO 8601. */
  readonly iso: string;
}

/** The instant with its zone, broken only after the day; the exact one is in `datetime`. */
export function LocalTime({ iso }: LocalTimeProps) {
  const texts = useTexts();
  const zone = useTimeZone();
  const [day, time] = (useHydrated() ? zonedText(texts, iso, zone) : utcText(texts, iso)).split(", ");
  return (
    <time dateTime={iso} title={utcText(texts, iso)} className="figures">
      <span className="whitespace-nowrap">{day},</span> <span className="whitespace-nowrap">{time}</span>
    </time>
  );
}

/** A period: its first and last instant. */
export function LocalPeriod({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <>
      <LocalTime iso={from} /> – <LocalTime iso={to} />
    </>
  );
}
