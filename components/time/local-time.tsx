// An instant on a page: in UTC until hydration, then in the reader's zone.
"use client";
import { utcText, zonedText } from "./instant-text";
import { useTimeZone } from "./time-zone";
import { useHydrated } from "./use-hydrated";

interface LocalTimeProps {
  /** ISO 8601. */
  readonly iso: string;
}

/** The instant with its zone, broken only after the day; the exact one is in `datetime`. */
export function LocalTime({ iso }: LocalTimeProps) {
  const zone = useTimeZone();
  const [day, time] = (useHydrated() ? zonedText(iso, zone) : utcText(iso)).split(", ");
  return (
    <time dateTime={iso} title={utcText(iso)} className="figures">
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
