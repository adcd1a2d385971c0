// Tells the server the browser's time zone, for the first answer of the next page.
"use client";
import { useEffect } from "react";
import { TIME_ZONE_COOKIE } from "@/server/domain/time-zones";
import { browserTimeZone } from "./time-zone";

const A_YEAR_S = 365 * 24 * 60 * 60;

export function RememberTimeZone() {
  useEffect(() => {
    document.cookie = `${TIME_ZONE_COOKIE}=${browserTimeZone()}; path=/; max-age=${A_YEAR_S}; samesite=lax`;
  }, []);
  return null;
}
