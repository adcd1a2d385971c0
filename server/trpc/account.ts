// The procedures on the member's own account: one-time codes, passkeys and the password.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { nameBody } from "@/server/contract/members";
import { passkeyRegistration } from "@/server/contract/passkeys";
import { stepUpProof } from "@/server/contract/step-up";
import type { CallContext } from "@/server/domain/scope";
import { qrPicture } from "@/server/http/payer/qr";
import { changeName } from "@/server/services/members/names";
import { changeOwnPassword } from "@/server/services/members/passwords";
import { merchantSettings } from "@/server/services/merchants/settings";
import { recentNotices } from "@/server/services/notices/notices";
import { enrolPasskey, enrolTotp } from "@/server/services/sign-in/enrol";
import { confirmPasskey, listPasskeys, removePasskey } from "@/server/services/sign-in/manage-passkeys";
import { beginPasskeyProof } from "@/server/services/sign-in/passkeys";
import { waysToSignIn } from "@/server/services/sign-in/presence";
import { endSessions, type MemberSession, openSessionsOf } from "@/server/services/sign-in/sessions";
import { requireProof } from "@/server/services/sign-in/step-up";
import { confirmTotp, endTotp, hasTotp } from "@/server/services/sign-in/totp";
import { ownProcedure, router } from "./procedures";

const codeInput = z.object({ code: z.string().trim().min(1).max(64) });
const password = z.string().min(1).max(1_024);
/** The password or a fresh sign-in, and a proof of the second factor that the member has already. */
const enrolment = z.object(stepUpProof.shape);

interface OwnContext {
  readonly session: MemberSession;
  readonly requestId: string;
  readonly address: string | null;
}

/** The account is the same in both environments; the call names one because every call must. */
function callOf({ session, requestId, address }: OwnContext): CallContext {
  const scope = { merchantId: session.merchantId, environment: "test" } as const;
  const { member, sessionId } = session;
  return { scope, actor: { type: "member", id: member.id }, requestId, address, sessionId };
}

/** For proofs that the test environment would not ask for. */
function inLive(call: CallContext): CallContext {
  return { ...call, scope: { ...call.scope, environment: "live" } };
}

function ownerOf({ session }: OwnContext) {
  return { merchantId: session.merchantId, memberId: session.member.id };
}

function enrolmentOf({ session }: OwnContext, { code, passkey, ...presence }: z.output<typeof enrolment>) {
  return { ...presence, proof: { code, passkey }, label: session.member.email };
}

export const accountRouter = router({
  totp: ownProcedure.query(async ({ ctx }) => {
    const [isSetUp, { totpRequiredFor }] = await Promise.all([
      hasTotp(ownerOf(ctx)),
      merchantSettings(ctx.session.merchantId),
    ]);
    return { is_set_up: isSetUp, must_enrol: ctx.session.mustEnrol, required_for: [...totpRequiredFor] };
  }),

  /** Changes what the member is called, in both environments. A proof keeps a stolen session from posing as a colleague. */
  changeName: ownProcedure.input(nameBody.extend(stepUpProof.shape)).mutation(async ({ ctx, input }) => {
    await requireProof(inLive(callOf(ctx)), input);
    return { name: await changeName(callOf(ctx), ctx.session.member.id, input.name) };
  }),

  /** How the member signs in, besides passkeys. */
  access: ownProcedure.query(async ({ ctx }) => {
    const { hasPassword, provider } = await waysToSignIn(callOf(ctx));
    return { has_password: hasPassword, provider };
  }),

  /** The member's open sessions, last used first. */
  sessions: ownProcedure.query(async ({ ctx }) => ({
    sessions: (await openSessionsOf(ctx.session)).map(({ id, address, userAgent, createdAt, lastSeenAt }) => ({
      id,
      address,
      user_agent: userAgent,
      created_at: formatInstant(createdAt),
      last_seen_at: formatInstant(lastSeenAt),
      is_this: id === ctx.session.sessionId,
    })),
  })),

  /** Ends one of the member's own sessions; an id of anybody else's ends none. */
  endSession: ownProcedure.input(z.object({ id: z.string().max(64) })).mutation(async ({ ctx, input }) => ({
    ended: await endSessions(ctx.session, { id: input.id }, ctx),
  })),

  endOtherSessions: ownProcedure.mutation(async ({ ctx }) => ({
    ended: await endSessions(ctx.session, "others", ctx),
  })),

  /** Changes of authority of the last days that concern the member. */
  notices: ownProcedure.query(async ({ ctx }) => ({
    notices: (await recentNotices(ownerOf(ctx), await ctx.language())).map(({ text, createdAt }) => ({
      text,
      created_at: formatInstant(createdAt),
    })),
  })),

  /** Returns the secret, shown only once. The secret takes effect with a first code. */
  beginTotp: ownProcedure.input(enrolment).mutation(async ({ ctx, input }) => {
    const { secret, uri } = await enrolTotp(callOf(ctx), ctx.session.sessionId, enrolmentOf(ctx, input));
    return { secret, qr: qrPicture(uri) };
  }),

  /** Returns the recovery codes, shown only once. Ends the member's other sessions. */
  confirmTotp: ownProcedure.input(codeInput).mutation(async ({ ctx, input }) => ({
    recovery_codes: (await confirmTotp(callOf(ctx), input.code, ctx.session.sessionId)).recoveryCodes,
  })),

  removeTotp: ownProcedure.input(codeInput).mutation(async ({ ctx, input }) => {
    await endTotp(callOf(ctx), input.code);
    return { is_set_up: false };
  }),

  passkeys: ownProcedure.query(async ({ ctx }) => ({
    passkeys: (await listPasskeys(ownerOf(ctx))).map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      created_at: formatInstant(createdAt),
      last_used_at: lastUsedAt && formatInstant(lastUsedAt),
    })),
  })),

  /** Returns what the browser needs to create a passkey. */
  beginPasskey: ownProcedure
    .input(enrolment)
    .mutation(({ ctx, input }) => enrolPasskey(callOf(ctx), ctx.session.sessionId, enrolmentOf(ctx, input))),

  /** Ends the member's other sessions. */
  confirmPasskey: ownProcedure
    .input(z.object({ name: z.string().max(64), registration: passkeyRegistration }))
    .mutation(async ({ ctx, input: { name, registration } }) => {
      const { transports, ...created } = registration;
      await confirmPasskey(callOf(ctx), ctx.session.sessionId, { name, transports, registration: created });
      return { name };
    }),

  removePasskey: ownProcedure
    .input(z.object({ ...stepUpProof.shape, id: z.string().max(64) }))
    .mutation(async ({ ctx, input }) => {
      await removePasskey(callOf(ctx), input.id, input);
      return { id: input.id };
    }),

  /** Returns what the browser needs to prove one act of this session with a passkey. */
  beginPasskeyProof: ownProcedure.mutation(({ ctx }) => beginPasskeyProof(ownerOf(ctx), ctx.session.sessionId)),

  /** Ends the member's other sessions. */
  changePassword: ownProcedure
    .input(z.object({ current: password, next: password }))
    .mutation(async ({ ctx, input }) => {
      await changeOwnPassword(callOf(ctx), { ...input, keepSession: ctx.session.sessionId });
      return { changed: true };
    }),
});
