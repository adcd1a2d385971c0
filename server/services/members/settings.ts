// The member's own settings: the time zone and the language of the dashboard.

import { findSettings, type MemberKey, storeLanguage, storeTimeZone } from "@/server/db/member-settings";
import {
  type DashboardLanguage,
  findDashboardLanguage,
  IS_DASHBOARD_TRANSLATED,
} from "@/server/domain/dashboard-languages";
import { validationError } from "@/server/domain/errors";
import { isTimeZone } from "@/server/domain/time-zones";
import { withinMerchant } from "@/server/platform/reach";

export interface OwnSettings {
  /** An IANA name; null means the browser's. */
  readonly timeZone: string | null;
  /** Null means the best of the browser's, also where the chosen one has no catalogue. */
  readonly language: DashboardLanguage | null;
}

/** What the member has chosen. */
export async function settingsOf(member: MemberKey): Promise<OwnSettings> {
  const { timeZone, language } = await findSettings(member);
  return { timeZone, language: findDashboardLanguage(language ?? "") ?? null };
}

/** The language of mails to the member: the one that they have chosen, else what their sender has, else English. */
export async function languageOfMails(member: MemberKey, sender: MemberKey | null = null): Promise<DashboardLanguage> {
  if (!IS_DASHBOARD_TRANSLATED) return "en";
  return withinMerchant(member.merchantId, async () => {
    const own = (await settingsOf(member)).language;
    return own ?? (sender && (await settingsOf(sender)).language) ?? "en";
  });
}

/** Stores the member's time zone; null means the browser's. Throws validation_failed for an unknown zone. */
export async function chooseTimeZone(member: MemberKey, timeZone: string | null): Promise<void> {
  if (timeZone !== null && !isTimeZone(timeZone)) throw validationError("time_zone", "must be an IANA name or null");
  await storeTimeZone(member, timeZone);
}

/** Stores the member's language; null means the browser's. */
export function chooseLanguage(member: MemberKey, language: DashboardLanguage | null): Promise<void> {
  return storeLanguage(member, language);
}
