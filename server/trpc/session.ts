// The procedures on the member's own session.

import { z } from "zod";
import { DASHBOARD_LANGUAGES } from "@/server/domain/dashboard-languages";
import { allowedActs } from "@/server/domain/permissions";
import { chooseLanguage, chooseTimeZone, settingsOf } from "@/server/services/members/settings";
import { endSessions } from "@/server/services/sign-in/sessions";
import { isMerchantSuspended } from "@/server/services/suspension/suspend";
import { ownProcedure, router } from "./procedures";

export const sessionRouter = router({
  /** The signed-in member and their permissions. */
  me: ownProcedure.query(async ({ ctx: { session } }) => {
    const { id, email, name, roles, merchantName } = session.member;
    const { timeZone, language } = await settingsOf(session.member);
    const permissions = allowedActs(session.member, "live");
    return {
      id,
      email,
      name,
      roles,
      merchant_name: merchantName,
      is_merchant_suspended: await isMerchantSuspended(session.merchantId),
      permissions,
      time_zone: timeZone,
      language,
    };
  }),

  /** The time zone of the member's pages; null for the browser's. */
  chooseTimeZone: ownProcedure
    .input(z.object({ time_zone: z.string().max(64).nullable() }))
    .mutation(({ ctx: { session }, input }) => chooseTimeZone(session.member, input.time_zone)),

  /** The language of the member's pages; null for the best of the browser's. */
  chooseLanguage: ownProcedure
    .input(z.object({ language: z.enum(DASHBOARD_LANGUAGES).nullable() }))
    .mutation(({ ctx: { session }, input }) => chooseLanguage(session.member, input.language)),

  /** Ends every session of the member on every device, including this one; returns their number. */
  signOutEverywhere: ownProcedure.mutation(async ({ ctx }) => ({
    ended: await endSessions(ctx.session, "all", ctx),
  })),
});
