// The dashboard's procedures on exceptions.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { stepUpProof } from "@/server/contract/step-up";
import { plainListQuery } from "@/server/contract/webhooks";
import { callbackName } from "@/server/domain/callback";
import { EXCEPTION_KINDS, EXCEPTION_STATES, MOST_EXCEPTIONS_AT_ONCE } from "@/server/domain/exceptions";
import type { CallContext } from "@/server/domain/scope";
import { SETTLEMENTS } from "@/server/domain/suspense";
import { presentPage, readListQuery } from "@/server/http/list";
import { applyCallbackOf } from "@/server/services/callbacks/apply-again";
import { callbackOf, readableBody } from "@/server/services/callbacks/find";
import {
  assignException,
  requireException,
  resolveException,
  takeException,
} from "@/server/services/exceptions/decide";
import {
  countExceptions,
  EXCEPTIONS_CAP,
  type ExceptionView,
  exceptionOwners,
  getException,
  listExceptions,
  type StoredException,
} from "@/server/services/exceptions/list";
import { settleException } from "@/server/services/exceptions/settle";
import { namedActor } from "@/server/services/members/names";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { toTrpcError } from "./errors";
import { presentActor } from "./present/actor";
import { presentDetail } from "./present/exception-detail";
import { presentRefund } from "./present/refund";
import { memberProcedure, router } from "./procedures";

const ROUTE = "/exceptions";

const decide = memberProcedure("decide_exceptions");
const named = z.object({ id: z.string() });
const resolution = z.object({ id: z.string(), resolution: z.string().max(4_000) });
/** The most that one call decides on. */
const ids = z.array(z.string().max(64)).min(1).max(MOST_EXCEPTIONS_AT_ONCE);
const filters = z.object({
  kind: z.enum(EXCEPTION_KINDS, { error: `must be one of ${EXCEPTION_KINDS.join(", ")}` }).optional(),
  object_id: z.string().max(255).optional(),
  /** `me`, `nobody` or the id of a member. */
  owner: z.string().max(64).optional(),
});
const state = z.enum(EXCEPTION_STATES, { error: "must be open or resolved" }).optional();

/** The filter of an input; the one who owns it is a member, also where the caller says `me`. */
function filterOf({ actor }: CallContext, { kind, object_id: objectId, owner }: z.infer<typeof filters>) {
  const ownerId = owner === "me" ? actor.id : owner === "nobody" ? null : owner;
  return { kind, objectId, ownerId };
}

function presentException(view: ExceptionView) {
  const { exception, money, settlements, operatorSettlements, refundThrough, refunds, about, names } = view;
  const { ownerId, resolvedBy, resolvedAt } = exception;
  return {
    id: exception.id,
    kind: exception.kind,
    object_id: exception.objectId,
    about: about && { merchant_reference: about.merchantReference, counterparty: about.counterparty },
    detail: presentDetail(exception.detail),
    opened_at: formatInstant(exception.openedAt),
    owner: ownerId === null ? null : presentActor(namedActor({ type: "member", id: ownerId }, names)),
    money: money && { amount: money.amount.toString(), currency: money.currency },
    settlements,
    /** Only the operator makes these decisions, at the command line. */
    operator_settlements: operatorSettlements,
    /** The provider that can send the money back, once two people want it. */
    refund_through: refundThrough,
    refunds: refunds.map((refund) => presentRefund(refund, names)),
    resolution: exception.resolution,
    settled_as: exception.settledAs,
    resolved_at: resolvedAt && formatInstant(resolvedAt),
    resolved_by: resolvedBy && presentActor(namedActor(resolvedBy, names)),
  };
}

export type PresentedException = ReturnType<typeof presentException>;

/** One result for each id, in their order. */
async function decideMany(named: readonly string[], decideOne: (id: string) => Promise<unknown>) {
  return Promise.all(
    [...new Set(named)].map(async (id) => {
      try {
        await decideOne(id);
        return { id, done: true, message: null } as const;
      } catch (error) {
        return { id, done: false, message: aboutThis(toTrpcError(error).message) } as const;
      }
    }),
  );
}

/** A complaint about a field of the call, as one about the exception. */
function aboutThis(message: string): string {
  return message
    .replace(/^id names an exception whose /, "This exception's ")
    .replace(/^id names an exception that /, "This exception ");
}

async function presentOne({ scope }: CallContext, exception: StoredException): Promise<PresentedException> {
  return presentException(await getException(exception, scope));
}

export const exceptionsRouter = router({
  list: decide.input(plainListQuery.extend({ ...filters.shape, state })).query(async ({ ctx: { call }, input }) => {
    const { kind, object_id, owner, state: asked, ...query } = input;
    const { after, limit } = readListQuery(call.scope, ROUTE, query);
    const filter = { ...filterOf(call, { kind, object_id, owner }), state: asked };
    const page = await listExceptions(call.scope, filter, after, limit);
    return presentPage(call.scope, ROUTE, page, presentException);
  }),

  /** The number of exceptions per state; counting stops at `cap`. */
  count: decide.input(filters).query(async ({ ctx: { call }, input }) => ({
    ...(await countExceptions(call.scope, filterOf(call, input))),
    cap: EXCEPTIONS_CAP,
  })),

  /** Members by address: those whom an exception can be assigned to, and others who own open ones. */
  owners: decide.query(async ({ ctx: { call } }) =>
    (await exceptionOwners(call.scope)).map(({ id, name, email, mayOwn }) => ({
      ...presentActor({ type: "member", id, name, address: email }),
      may_own: mayOwn,
    })),
  ),

  take: decide
    .input(named)
    .mutation(async ({ ctx: { call }, input }) => presentOne(call, await takeException(call, input.id))),

  resolve: decide
    .input(resolution)
    .mutation(async ({ ctx: { call }, input }) =>
      presentOne(call, await resolveException(call, input.id, input.resolution)),
    ),

  /** Assigns each separately to one member, or to nobody: one that is resolved already does not block the others. */
  assignMany: decide
    .input(z.object({ ids, member_id: z.string().max(64).nullable() }))
    .mutation(async ({ ctx: { call }, input }) =>
      decideMany(input.ids, (id) => assignException(call, id, input.member_id)),
    ),

  /** Resolves each separately, all with the same notes. Those with money in suspense are refused, as one by one. */
  resolveMany: decide
    .input(z.object({ ids, resolution: resolution.shape.resolution }))
    .mutation(async ({ ctx: { call }, input }) =>
      decideMany(input.ids, (id) => resolveException(call, id, input.resolution)),
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
