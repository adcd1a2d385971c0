// Owns what procedures are made of. There is no procedure for visitors: one names the permission it takes, or is the
// member's own business.
import { initTRPC } from "@trpc/server";
import { z } from "zod";
import { environment } from "@/server/contract/fields";
import { ServiceError } from "@/server/domain/errors";
import { type MemberAct, requireAllowed } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { takeToken } from "@/server/http/rate-limit";
import type { TrpcContext } from "./context";
import { reasonOf, refusedInput, toTrpcError } from "./errors";

interface Meta {
  /** `own` is what every member may do with their own session. */
  readonly permission: MemberAct | "own";
}

/**
 * A stream ends after this long and is opened anew, which looks at the session again: a session that is over hears no
 * more than this of changes.
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
      message: error.code === "INTERNAL_SERVER_ERROR" ? "Something went wrong on our side." : shape.message,
      code: shape.code,
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        reason: reasonOf(error),
        requestId: ctx?.requestId ?? null,
      },
    }),
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Whatever goes wrong inside becomes an error of the contract. */
const translated = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  throw toTrpcError(refusedInput(result.error));
});

/** A visitor gets no further than this, nor does a session that asks too often. */
const signedIn = translated.use(({ ctx, next }) => {
  const { session } = ctx;
  if (!session) throw new ServiceError("unauthorized", "You are signed out. Sign in again to go on.");
  takeToken(`session:${session.sessionId}`);
  return next({ ctx: { session } });
});

/** A procedure on the member's own session; it touches nothing of the merchant's. */
export const ownProcedure = signedIn.meta({ permission: "own" });

/**
 * A procedure for members whose roles allow the act, in the environment that its input names. What it may touch is in
 * `ctx.call`; the merchant is the session's, whatever the input says.
 */
export function memberProcedure(permission: MemberAct) {
  return signedIn
    .meta({ permission })
    .input(z.object({ environment }))
    .use(({ ctx, input, next }) => {
      const { session, requestId, address } = ctx;
      requireAllowed({ roles: session.member.roles, disabledAt: null }, permission);
      const call: CallContext = {
        scope: { merchantId: session.merchantId, environment: input.environment },
        actor: { type: "member", id: session.member.id },
        requestId,
        address,
      };
      return next({ ctx: { call } });
    });
}
