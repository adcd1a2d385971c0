"use client";
import { useEffect, useState } from "react";

const REFRESH_MS = 30_000;

/** The reader's clock, in ms, current to half a minute. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
