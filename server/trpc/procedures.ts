// The base procedures. None is open to visitors: each names a permission, or concerns the member's own session.
import { initTRPC } from "@trpc/server";
import { z } from "zod";
import { environment } from "@/server/contract/fields";
import { Forbidden, ServiceError } from "@/server/domain/errors";
import { isAllowed, type MemberAct, requireAllowed } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { takeToken } from "@/server/http/rate-limit";
import { recordDenial } from "@/server/services/audit/denials";
import { withinSession } from "@/server/services/sign-in/session-scope";
import type { TrpcContext } from "./context";
import { fieldOf, publicMessage, reasonOf, refusedInput, toTrpcError } from "./errors";
import { inReadersWords } from "./readers-words";

interface Meta {
  /** `own` allows every member to act on their own session. */
  readonly permission: MemberAct | "own";
}

/**
 * After this time a stream ends and the browser reopens it, which checks the session again. A session that has ended
 * therefore receives changes for at most this long.
 */
const STREAM_LASTS_MS = 60_000;

const t = initTRPC
  .context<TrpcContext>()
  .meta<Meta>()
  .create({
    sse: {
      maxDurationMs: STREAM_LASTS_MS,
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 40_000 },
    },
    errorFormatter: ({ shape, error, ctx }) => ({
      message: publicMessage(error),
      code: shape.code,
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        reason: reasonOf(error),
        field: fieldOf(error),
        requestId: ctx?.requestId ?? null,
      },
    }),
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Turns every error into one of the contract, and audits denied acts; words are in the reader's language. */
const translated = t.procedure.use(async ({ next, ctx, path }) => {
  const result = await next();
  if (result.ok) return { ...result, data: inReadersWords(await ctx.language(), result.data) };
  const error = refusedInput(result.error);
  const { session } = ctx;
  if (error instanceof Forbidden && session) {
    await withinSession(session, () => recordDenial(session, path, ctx));
  }
  throw toTrpcError(error, await ctx.language());
});

/** Rejects visitors and sessions that exceed the rate limit. What follows runs in the session's cell, for its merchant only. */
const signedIn = translated.use(({ ctx, next }) => {
  const { session } = ctx;
  if (!session) throw new ServiceError("unauthorized", "You are signed out. Sign in again to go on.");
  takeToken(`session:${session.sessionId}`);
  return withinSession(session, () => next({ ctx: { session } }));
});

/** A procedure on the member's own session, without access to the merchant's data. */
export const ownProcedure = signedIn.meta({ permission: "own" });

/**
 * A procedure for members whose roles allow the act, in the environment that its input names. `ctx.call` contains the
 * scope; its merchant is always the session's. `ctx.allows` says what else the member may do there.
 */
export function memberProcedure(permission: MemberAct) {
  return signedIn
    .meta({ permission })
    .input(z.object({ environment }))
    .use(({ ctx, input, next }) => {
      const { session, requestId, address } = ctx;
      requireAllowed({ ...session.member, disabledAt: null }, permission, input.environment);
      const call: CallContext = {
        scope: { merchantId: session.merchantId, environment: input.environment },
        actor: { type: "member", id: session.member.id },
        requestId,
        address,
        sessionId: session.sessionId,
      };
      const member = { ...session.member, disabledAt: null };
      const allows = (act: MemberAct) => isAllowed(member, act, input.environment);
      return next({ ctx: { call, allows } });
    });
}
