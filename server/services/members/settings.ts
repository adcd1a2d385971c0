// The member's own settings: the time zone and the language of the dashboard.

import { findLanguage, findTimeZone, type MemberKey, storeLanguage, storeTimeZone } from "@/server/db/member-settings";
import { type DashboardLanguage, findDashboardLanguage } from "@/server/domain/dashboard-languages";
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

/** The language the member has chosen; null means the best of the browser's, as does one without a catalogue. */
export async function languageOf(member: MemberKey): Promise<DashboardLanguage | null> {
  return findDashboardLanguage((await findLanguage(member)) ?? "") ?? null;
}

/** Stores the member's language; null means the browser's. */
export function chooseLanguage(member: MemberKey, language: DashboardLanguage | null): Promise<void> {
  return storeLanguage(member, language);
}
