// The member's own settings: the time zone of the dashboard.
import { findTimeZone, type MemberKey, storeTimeZone } from "@/server/db/member-settings";
import { validationError } from "@/server/domain/errors";

/** The IANA name of the time zone the member has chosen; null means the browser's. */
export function timeZoneOf(member: MemberKey): Promise<string | null> {
  return findTimeZone(member);
}

/** Stores the member's time zone; null means the browser's. Throws validation_failed for an unknown zone. */
export async function chooseTimeZone(member: MemberKey, timeZone: string | null): Promise<void> {
  if (timeZone !== null && !isTimeZone(timeZone)) throw validationError("time_zone", "must be an IANA name or null");
  await storeTimeZone(member, timeZone);
}

/** Accepts zone names, including "UTC". Rejects offsets such as "+03:00", which Intl accepts: they ignore daylight saving. */
function isTimeZone(name: string): boolean {
  return name === "UTC" || Intl.supportedValuesOf("timeZone").includes(name);
}
