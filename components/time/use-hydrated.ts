// Owns telling the server's rendering, and the first one in the browser, from those after it.
"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and while the page comes alive, true afterwards: only then may local time and place be shown. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
