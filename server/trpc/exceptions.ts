// The dashboard's procedures on exceptions.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { stepUpProof } from "@/server/contract/step-up";
import { plainListQuery } from "@/server/contract/webhooks";
import { callbackName } from "@/server/domain/callback";
import { EXCEPTION_KINDS, EXCEPTION_STATES } from "@/server/domain/exceptions";
import type { CallContext } from "@/server/domain/scope";
import { SETTLEMENTS } from "@/server/domain/suspense";
import { presentPage, readListQuery } from "@/server/http/list";
import { applyCallbackOf } from "@/server/services/callbacks/apply-again";
import { callbackOf, readableBody } from "@/server/services/callbacks/find";
import { requireException, resolveException, takeException } from "@/server/services/exceptions/decide";
import {
  countExceptions,
  EXCEPTIONS_CAP,
  type ExceptionView,
  getException,
  listExceptions,
  type StoredException,
} from "@/server/services/exceptions/list";
import { settleException } from "@/server/services/exceptions/settle";
import { statedName } from "@/server/services/merchants/operator";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { memberProcedure, router } from "./procedures";

const ROUTE = "/exceptions";

const decide = memberProcedure("decide_exceptions");
const named = z.object({ id: z.string() });
const resolution = z.object({ id: z.string(), resolution: z.string().max(4_000) });
const filters = z.object({
  kind: z.enum(EXCEPTION_KINDS, { error: `must be one of ${EXCEPTION_KINDS.join(", ")}` }).optional(),
  object_id: z.string().max(255).optional(),
});
const state = z.enum(EXCEPTION_STATES, { error: "must be open or resolved" }).optional();

function presentException({ exception, money, settlements, operatorSettlements, names }: ExceptionView) {
  const { ownerId, resolvedBy, resolvedAt } = exception;
  return {
    id: exception.id,
    kind: exception.kind,
    object_id: exception.objectId,
    detail: exception.detail,
    opened_at: formatInstant(exception.openedAt),
    owner: ownerId === null ? null : { id: ownerId, name: names.get(ownerId) ?? null },
    money: money && { amount: money.amount.toString(), currency: money.currency },
    settlements,
    /** Only the operator makes these decisions, at the command line. */
    operator_settlements: operatorSettlements,
    resolution: exception.resolution,
    settled_as: exception.settledAs,
    resolved_at: resolvedAt && formatInstant(resolvedAt),
    resolved_by: resolvedBy && {
      ...resolvedBy,
      name: names.get(resolvedBy.id) ?? statedName(resolvedBy.type, resolvedBy.id),
    },
  };
}

export type PresentedException = ReturnType<typeof presentException>;

async function presentOne({ scope }: CallContext, exception: StoredException): Promise<PresentedException> {
  return presentException(await getException(exception, scope));
}

export const exceptionsRouter = router({
  list: decide.input(plainListQuery.extend({ ...filters.shape, state })).query(async ({ ctx: { call }, input }) => {
    const { kind, object_id: objectId, state: asked, ...query } = input;
    const { after, limit } = readListQuery(call.scope, ROUTE, query);
    const page = await listExceptions(call.scope, { kind, objectId, state: asked }, after, limit);
    return presentPage(call.scope, ROUTE, page, presentException);
  }),

  /** The number of exceptions per state; counting stops at `cap`. */
  count: decide.input(filters).query(async ({ ctx: { call }, input: { kind, object_id: objectId } }) => ({
    ...(await countExceptions(call.scope, { kind, objectId })),
    cap: EXCEPTIONS_CAP,
  })),

  take: decide
    .input(named)
    .mutation(async ({ ctx: { call }, input }) => presentOne(call, await takeException(call, input.id))),

  resolve: decide
    .input(resolution)
    .mutation(async ({ ctx: { call }, input }) =>
      presentOne(call, await resolveException(call, input.id, input.resolution)),
    ),

  /** Decides about its money in suspense. */
  settle: decide
    .input(resolution.extend({ ...stepUpProof.shape, as: z.enum(SETTLEMENTS) }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "settle", input);
      return presentOne(call, await settleException(call, input.id, input.as, input.resolution));
    }),

  /** The callback of an exception of kind unapplied_callback. */
  callback: decide.input(named).query(async ({ ctx: { call }, input }) => {
    const callback = await callbackOf(await requireException(call.scope, input.id));
    return {
      id: callbackName(callback),
      provider: callback.provider,
      result: callback.result,
      attempts: callback.attempts,
      received_at: formatInstant(callback.receivedAt),
      body: readableBody(callback),
    };
  }),

  /** Applies that callback again; `why` is the reason if it is still unapplied. */
  applyCallback: decide.input(named.extend(stepUpProof.shape)).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "settle", input);
    const { exception, why } = await applyCallbackOf(call, input.id);
    return { exception: await presentOne(call, exception), why };
  }),
});
