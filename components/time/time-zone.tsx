// The zone of displayed times: the member's choice, else the browser's zone.
"use client";
import { createContext, type ReactNode, useContext } from "react";
import { useHydrated } from "./use-hydrated";

interface Zones {
  /** The member's choice, an IANA name; null for the zone of the browser. */
  readonly chosen: string | null;
  /** What the browser told the server at an earlier page, an IANA name; null at its first one. */
  readonly remembered: string | null;
}

const Known = createContext<Zones>({ chosen: null, remembered: null });

interface TimeZoneProps extends Zones {
  readonly children: ReactNode;
}

export function TimeZone({ chosen, remembered, children }: TimeZoneProps) {
  return <Known value={{ chosen, remembered }}>{children}</Known>;
}

/** The member's choice; null for the zone of the browser. */
export function useChosenTimeZone(): string | null {
  return useContext(Known).chosen;
}

/** The IANA name of the zone of displayed times. During server rendering, that may be the server's own. */
export function useTimeZone(): string {
  return useChosenTimeZone() ?? browserTimeZone();
}

/**
 * The IANA name of the zone of the reader's days, for queries. Until the page is hydrated, it is what the browser told
 * at an earlier page; null if it has told nothing.
 */
export function useReaderTimeZone(): string | null {
  const isHydrated = useHydrated();
  const { chosen, remembered } = useContext(Known);
  return chosen ?? (isHydrated ? browserTimeZone() : remembered);
}

/** The IANA name of the browser's zone. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
