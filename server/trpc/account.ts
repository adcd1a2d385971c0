// The procedures on the member's own account: one-time codes and the password.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import type { CallContext } from "@/server/domain/scope";
import { qrPicture } from "@/server/http/payer/qr";
import { changeOwnPassword } from "@/server/services/members/passwords";
import { merchantSettings } from "@/server/services/merchants/settings";
import { recentNotices } from "@/server/services/notices/notices";
import type { MemberSession } from "@/server/services/sign-in/sessions";
import { beginTotp, confirmTotp, endTotp, hasTotp } from "@/server/services/sign-in/totp";
import { ownProcedure, router } from "./procedures";

const codeInput = z.object({ code: z.string().trim().min(1).max(64) });
const password = z.string().min(1).max(1_024);

interface OwnContext {
  readonly session: MemberSession;
  readonly requestId: string;
  readonly address: string | null;
}

/** The account is the same in both environments; the call names one because every call must. */
function callOf({ session, requestId, address }: OwnContext): CallContext {
  const scope = { merchantId: session.merchantId, environment: "test" } as const;
  return { scope, actor: { type: "member", id: session.member.id }, requestId, address };
}

function ownerOf({ session }: OwnContext) {
  return { merchantId: session.merchantId, memberId: session.member.id };
}

export const accountRouter = router({
  totp: ownProcedure.query(async ({ ctx }) => {
    const [isSetUp, { totpRequiredFor }] = await Promise.all([
      hasTotp(ownerOf(ctx)),
      merchantSettings(ctx.session.merchantId),
    ]);
    return { is_set_up: isSetUp, required_for: [...totpRequiredFor] };
  }),

  /** Changes of authority of the last days that concern the member. */
  notices: ownProcedure.query(async ({ ctx }) => ({
    notices: (await recentNotices(ownerOf(ctx))).map(({ text, createdAt }) => ({
      text,
      created_at: formatInstant(createdAt),
    })),
  })),

  /** Returns the secret, shown only once. The secret takes effect with a first code. */
  beginTotp: ownProcedure.mutation(async ({ ctx }) => {
    const { secret, uri } = await beginTotp(ownerOf(ctx), ctx.session.member.email);
    return { secret, qr: qrPicture(uri) };
  }),

  /** Returns the recovery codes, shown only once. */
  confirmTotp: ownProcedure.input(codeInput).mutation(async ({ ctx, input }) => ({
    recovery_codes: (await confirmTotp(callOf(ctx), input.code)).recoveryCodes,
  })),

  removeTotp: ownProcedure.input(codeInput).mutation(async ({ ctx, input }) => {
    await endTotp(callOf(ctx), input.code);
    return { is_set_up: false };
  }),

  /** Ends the member's other sessions. */
  changePassword: ownProcedure
    .input(z.object({ current: password, next: password }))
    .mutation(async ({ ctx, input }) => {
      await changeOwnPassword(callOf(ctx), { ...input, keepSession: ctx.session.sessionId });
      return { changed: true };
    }),
});
