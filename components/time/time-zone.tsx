// Owns the zone that times are written in: the one that the member has chosen, else that of the browser.
"use client";
import { createContext, type ReactNode, useContext } from "react";
import { useHydrated } from "./use-hydrated";

const Chosen = createContext<string | null>(null);

interface TimeZoneProps {
  /** An IANA name; null for the zone of the browser. */
  readonly name: string | null;
  readonly children: ReactNode;
}

export function TimeZone({ name, children }: TimeZoneProps) {
  return <Chosen value={name}>{children}</Chosen>;
}

/** What was chosen; null for the zone of the browser. */
export function useChosenTimeZone(): string | null {
  return useContext(Chosen);
}

/** The IANA name of the zone to write times in. Where the page is drawn by the server, that may be the server's own. */
export function useTimeZone(): string {
  return useChosenTimeZone() ?? browserTimeZone();
}

/**
 * The IANA name of the zone of the reader's days, for what is asked of the service; null where only the browser knows it
 * and the page is not alive yet.
 */
export function useReaderTimeZone(): string | null {
  const isHydrated = useHydrated();
  const chosen = useChosenTimeZone();
  return chosen ?? (isHydrated ? browserTimeZone() : null);
}

/** The IANA name of the zone that the browser is set to. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
