// An instant on the payer's page: in UTC until hydration, then in the zone of the browser.
"use client";
import { browserTimeZone } from "../time/time-zone";
import { useHydrated } from "../time/use-hydrated";
import { localInstant } from "./local-time";

interface PayerTimeProps {
  /** ISO 8601. */
  readonly iso: string;
  /** An IETF tag. */
  readonly locale: string;
  /** The instant in UTC, as the server writes it: browsers may know other abbreviations. */
  readonly utc: string;
}

export function PayerTime({ iso, locale, utc }: PayerTimeProps) {
  const isHydrated = useHydrated();
  return (
    <time dateTime={iso} title={utc} className="figures">
      {isHydrated ? localInstant(iso, locale, browserTimeZone()) : utc}
    </time>
  );
}
