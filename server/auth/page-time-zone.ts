// The time zone of the current page request, for data that is counted in the reader's days.
import { cookies } from "next/headers";
import { isTimeZone, TIME_ZONE_COOKIE } from "@/server/domain/time-zones";

/** The zone that this browser told at an earlier page, an IANA name; null on its first one. */
export async function rememberedTimeZone(): Promise<string | null> {
  const name = (await cookies()).get(TIME_ZONE_COOKIE)?.value ?? "";
  return isTimeZone(name) ? name : null;
}

/** The zone of the reader's days: the one that they chose, else their browser's; null if only the browser knows it. */
export async function readerTimeZone(chosen: string | null): Promise<string | null> {
  return chosen ?? (await rememberedTimeZone());
}
