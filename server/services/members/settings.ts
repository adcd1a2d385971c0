// What members choose for themselves: the zone that their dashboard's times are written in.
import { findTimeZone, type MemberKey, storeTimeZone } from "@/server/db/member-settings";
import { validationError } from "@/server/domain/errors";

/** The IANA name of the zone that the member has chosen; null for that of their browser. */
export function timeZoneOf(member: MemberKey): Promise<string | null> {
  return findTimeZone(member);
}

/** Keeps the member's zone, null for their browser's. Throws validation_failed for what is no zone. */
export async function chooseTimeZone(member: MemberKey, timeZone: string | null): Promise<void> {
  if (timeZone !== null && !isTimeZone(timeZone)) throw validationError("time_zone", "must be an IANA name or null");
  await storeTimeZone(member, timeZone);
}

/** Names that there are, "UTC" among them; offsets such as "+03:00", which Intl takes too, follow no clock change. */
function isTimeZone(name: string): boolean {
  return name === "UTC" || Intl.supportedValuesOf("timeZone").includes(name);
}
