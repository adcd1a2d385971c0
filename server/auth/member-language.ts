import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { withinMerchant } from "@/server/platform/reach";
import { settingsOf } from "@/server/services/members/settings";
import type { SignedInMember } from "@/server/services/sign-in/sign-in";

/** What a signed-in member has chosen, for a page; null without a member or a choice. */
export async function chosenLanguage(
  member: Pick<SignedInMember, "id" | "merchantId"> | null,
): Promise<DashboardLanguage | null> {
  return member && withinMerchant(member.merchantId, async () => (await settingsOf(member)).language);
}
