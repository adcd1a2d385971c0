// Owns what a person does about an exception: take it on, resolve it.

import type { Act } from "@/server/db/audit/record";
import {
  findException,
  resolveException as resolveRow,
  type StoredException,
  takeException as takeRow,
} from "@/server/db/exceptions";
import { findMemberById } from "@/server/db/member-credentials";
import { findSuspenseBookings, type SuspenseBooking } from "@/server/db/suspense";
import { Forbidden, ServiceError, validationError } from "@/server/domain/errors";
import type { CallContext, Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";
import { actOf } from "../audit/act";
import { checkedText } from "../checked-text";
import { requireAllowed } from "../members/roles";

const MAXIMUM_RESOLUTION = 512;

/**
 * Makes the calling member the exception's owner. Throws not_found for an exception that is not the scope's, Forbidden
 * without the role, validation_failed when it is resolved already or no merchant's.
 */
export async function takeException(context: CallContext, id: string): Promise<StoredException> {
  const act = await decidingAct(context);
  const exception = await requireOpen(context.scope, id);
  if (act.actor.type !== "member") throw validationError("id", "names an exception that is no merchant's");
  return orResolved(await takeRow(exception, act.actor.id, act));
}

/**
 * Resolves the exception for good. `resolution` says what was done, 1 to 512 characters. Throws as `takeException` does,
 * and validation_failed while its money is in suspense, which only `settleException` moves.
 */
export async function resolveException(context: CallContext, id: string, resolution: string): Promise<StoredException> {
  const text = checkedResolution(resolution);
  const act = await decidingAct(context);
  const exception = await requireOpen(context.scope, id);
  if (await moneyOf(exception)) {
    throw validationError("id", "names an exception whose money is in suspense; settle it instead");
  }
  return orResolved(await resolveRow(exception, text, act));
}

/** The words of a resolution, without the space around them. Throws validation_failed. */
export function checkedResolution(resolution: string): string {
  return checkedText("resolution", resolution, MAXIMUM_RESOLUTION);
}

/** What the exception keeps in suspense, or is short of there; null where it is about no such money. */
export async function moneyOf({ merchantId, environment, fact }: StoredException): Promise<SuspenseBooking | null> {
  if (merchantId === null) return null;
  return (await findSuspenseBookings({ merchantId, environment }, [fact])).get(fact) ?? null;
}

/** The scope's exception, resolved or not. Throws not_found. */
export async function requireException(scope: Scope, id: string): Promise<StoredException> {
  const exception = isId("exception", id) ? await findException(scope, id) : null;
  if (!exception) throw new ServiceError("not_found", "There is no such exception.");
  return exception;
}

async function requireOpen(scope: Scope, id: string): Promise<StoredException> {
  const exception = await requireException(scope, id);
  return orResolved(exception.resolvedAt === null ? exception : null);
}

/** Throws validation_failed for null: somebody was faster. */
export function orResolved(exception: StoredException | null): StoredException {
  if (exception) return exception;
  throw validationError("id", "names an exception that is resolved already");
}

/** The act of the deciding member, or of the operator. Throws Forbidden without the role. */
export async function decidingAct(context: CallContext): Promise<Act> {
  const { scope, actor } = context;
  if (actor.type !== "operator") {
    const member = actor.type === "member" ? await findMemberById(scope.merchantId, actor.id) : null;
    if (!member) throw new Forbidden("Only a member can decide on an exception.");
    requireAllowed(member, "decide_exceptions");
  }
  return actOf(context);
}
