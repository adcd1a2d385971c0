"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and during hydration, true afterwards. Only then may local time and zone be shown. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
