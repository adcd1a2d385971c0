// Taking and resolving exceptions.

import type { Act } from "@/server/db/audit/record";
import { actOf } from "@/server/db/audit/record";
import { type Assignment, assignException as assignRow } from "@/server/db/exception-owners";
import {
  findException,
  findExceptionAcrossMerchants,
  resolveException as resolveRow,
  type StoredException,
} from "@/server/db/exceptions";
import { findSuspenseBookings, type SuspenseBooking } from "@/server/db/suspense";
import { Forbidden, ServiceError, validationError } from "@/server/domain/errors";
import { NOBODY } from "@/server/domain/exceptions";
import { requireAllowed, rolesFor } from "@/server/domain/permissions";
import type { CallContext, Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";
import { checkedText } from "../checked-text";
import { actingMember } from "../members/acting-member";

const MAXIMUM_RESOLUTION = 512;

/**
 * Makes the calling member the exception's owner. Throws not_found for an exception outside the scope, Forbidden without
 * the role, and validation_failed if it is already resolved, belongs to no merchant, or the caller is not a member.
 */
export async function takeException(context: CallContext, id: string): Promise<StoredException> {
  const act = await answeringAct(context);
  const exception = await requireOpen(context.scope, id);
  if (act.actor.type !== "member") throw validationError("id", "names an exception that belongs to no merchant");
  return assigned(exception, { ownerId: act.actor.id, roles: rolesFor("decide_exceptions") }, "take", act);
}

/**
 * Assigns the exception to a member of the merchant who may decide on it, or to nobody. Throws as `takeException` does for
 * the caller, and validation_failed for a member who is not one of them.
 */
export async function assignException(
  context: CallContext,
  id: string,
  memberId: string | null,
): Promise<StoredException> {
  const act = await answeringAct(context);
  const exception = await requireOpen(context.scope, id);
  if (exception.merchantId === null) throw validationError("id", "names an exception that belongs to no merchant");
  const owner = memberId === null ? { ownerId: null } : { ownerId: memberId, roles: rolesFor("decide_exceptions") };
  return assigned(exception, owner, "assign", act);
}

async function assigned(
  exception: StoredException,
  owner: Assignment,
  verb: "take" | "assign",
  act: Act,
): Promise<StoredException> {
  const row = await assignRow(exception, owner, verb, act);
  if (row === "not_allowed") throw validationError("member_id", "must name an active member who decides on exceptions");
  return orResolved(row);
}

/**
 * Resolves the exception permanently. `resolution` describes what was done, in 1 to 512 characters. Throws as
 * `takeException` does, and validation_failed while its money is in suspense: only `settleException` moves it.
 */
export async function resolveException(context: CallContext, id: string, resolution: string): Promise<StoredException> {
  const text = checkedResolution(resolution);
  const act = await answeringAct(context);
  const exception = await requireOpen(context.scope, id);
  if (await moneyOf(exception)) {
    throw validationError("id", "names an exception whose money is in suspense; settle it instead");
  }
  return orResolved(await resolveRow(exception, text, act));
}

/** Returns the trimmed text of a resolution. Throws validation_failed. */
export function checkedResolution(resolution: string): string {
  return checkedText("resolution", resolution, MAXIMUM_RESOLUTION);
}

/** Returns the exception's money in suspense, negative if suspense is short. Returns null if it has none. */
export async function moneyOf({ merchantId, environment, fact }: StoredException): Promise<SuspenseBooking | null> {
  if (merchantId === null) return null;
  return (await findSuspenseBookings({ merchantId, environment }, [fact])).get(fact) ?? null;
}

/** Finds an exception, resolved or not, of any merchant or of none. Throws not_found. */
export async function requireAnyException(id: string): Promise<StoredException> {
  return orNotFound(isId("exception", id) ? await findExceptionAcrossMerchants(id) : null);
}

/** Finds an exception of the scope, resolved or not. Throws not_found. */
export async function requireException(scope: Scope, id: string): Promise<StoredException> {
  return orNotFound(isId("exception", id) ? await findException(scope, id) : null);
}

function orNotFound(exception: StoredException | null): StoredException {
  if (exception) return exception;
  throw new ServiceError("not_found", "There is no such exception.");
}

async function requireOpen(scope: Scope, id: string): Promise<StoredException> {
  const exception = await requireException(scope, id);
  return orResolved(exception.resolvedAt === null ? exception : null);
}

/** Throws validation_failed for null: someone else resolved it first. */
export function orResolved(exception: StoredException | null): StoredException {
  if (exception) return exception;
  throw validationError("id", "names an exception that is already resolved");
}

/**
 * The act of the person responsible for the scope's exceptions: a member of the merchant, or the operator for exceptions
 * of no merchant. Throws validation_failed for an operator who names no member, and as `decidingAct` does.
 */
export async function answeringAct(context: CallContext): Promise<Act> {
  if (context.actor.type === "operator" && context.scope.merchantId !== NOBODY) {
    throw validationError("as", "must name a member of the exception's merchant");
  }
  return decidingAct(context);
}

/** The act of the deciding member, or of the operator. Throws Forbidden without the role. */
export async function decidingAct(context: CallContext): Promise<Act> {
  if (context.actor.type !== "operator") {
    const member = await actingMember(context);
    if (!member) throw new Forbidden("Only a member can decide on an exception.");
    requireAllowed(member, "decide_exceptions", context.scope.environment);
  }
  return actOf(context);
}
