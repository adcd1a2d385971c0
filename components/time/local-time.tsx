// An instant on a page: in UTC until hydration, then in the reader's zone.
"use client";
import { utcText, zonedText } from "./instant-text";
import { useTimeZone } from "./time-zone";
import { useHydrated } from "./use-hydrated";

interface LocalTimeProps {
  /** ISO 8601. */
  readonly iso: string;
}

/** The instant with its zone, in one line; the exact one is in `datetime`. */
export function LocalTime({ iso }: LocalTimeProps) {
  const zone = useTimeZone();
  return (
    <time dateTime={iso} title={utcText(iso)} className="figures whitespace-nowrap">
      {useHydrated() ? zonedText(iso, zone) : utcText(iso)}
    </time>
  );
}

/** A period: its first and last instant, each in one line. */
export function LocalPeriod({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <>
      <LocalTime iso={from} /> – <LocalTime iso={to} />
    </>
  );
}
