// The zone of displayed times: the member's choice, else the browser's zone.
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

/** The member's choice; null for the zone of the browser. */
export function useChosenTimeZone(): string | null {
  return useContext(Chosen);
}

/** The IANA name of the zone of displayed times. During server rendering, that may be the server's own. */
export function useTimeZone(): string {
  return useChosenTimeZone() ?? browserTimeZone();
}

/**
 * The IANA name of the zone of the reader's days, for queries; null if only the browser knows it
 * and the page is not hydrated yet.
 */
export function useReaderTimeZone(): string | null {
  const isHydrated = useHydrated();
  const chosen = useChosenTimeZone();
  return chosen ?? (isHydrated ? browserTimeZone() : null);
}

/** The IANA name of the browser's zone. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
