import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { withinMerchant } from "@/server/platform/reach";
import { settingsOf } from "@/server/services/members/settings";
import { hadOutageSince } from "@/server/services/outage";
import type { SignedInMember } from "@/server/services/sign-in/sign-in";

/** An answer about a failure of the database follows it within this time, in ms. */
const FOLLOWS_WITHIN_MS = 2_000;

type Reader = Pick<SignedInMember, "id" | "merchantId">;

/**
 * What a signed-in member has chosen; null without a member or a choice. Also null when the database has just failed: an answer
 * that says so is due, and cannot wait for the database again.
 */
export async function chosenLanguage(
  findMember: () => Promise<Reader | null> | Reader | null,
): Promise<DashboardLanguage | null> {
  if (hadOutageSince(performance.now() - FOLLOWS_WITHIN_MS)) return null;
  const member = await findMember();
  return member && withinMerchant(member.merchantId, async () => (await settingsOf(member)).language);
}
