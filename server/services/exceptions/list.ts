// Lists of exceptions: the operator's, over all merchants, and a member's, with money and names.
import { type ExceptionOwner, findExceptionOwners } from "@/server/db/exception-owners";
import {
  countExceptionsOf,
  type ExceptionFilter,
  listExceptionsOf,
  listExceptionsAcrossMerchants as listRows,
  type OperatorsFilter,
  type StoredException,
} from "@/server/db/exceptions";
import { findIntentNames, type IntentNames } from "@/server/db/intent-names";
import { findSuspenseBookings } from "@/server/db/suspense";
import { rolesFor } from "@/server/domain/permissions";
import type { Scope } from "@/server/domain/scope";
import { type Settlement, settlementsFor } from "@/server/domain/suspense";
import { type ActorNames, actorNames } from "../members/names";
import type { Page, PagePosition } from "../page";
import { isOperatorsDecision } from "./operators-decision";
import { mayFollow, type RefundView, refundsOf } from "./refund-views";
import { refundingProvider } from "./refunding-provider";

export type { StoredException };

const MAXIMUM = 1_000;

/** Lists the oldest 1,000, of one merchant or of all; `hasMore` is true if there are more. */
export async function listExceptionsAcrossMerchants(
  filter: OperatorsFilter,
): Promise<{ readonly exceptions: readonly StoredException[]; readonly hasMore: boolean }> {
  const found = await listRows(filter, MAXIMUM + 1);
  return { exceptions: found.slice(0, MAXIMUM), hasMore: found.length > MAXIMUM };
}

/** Counting stops here; a higher count is shown as "at least 1,000". */
export const EXCEPTIONS_CAP = 1_000;

export interface ExceptionView {
  readonly id: string;
  readonly createdAt: Date;
  readonly exception: StoredException;
  /** Its money in suspense, in minor units; negative if suspense is short. Null if it has no money in suspense. */
  readonly money: { readonly amount: bigint; readonly currency: string } | null;
  /** The decisions that members have about that money; empty once it is settled. */
  readonly settlements: readonly Settlement[];
  /** The decisions that only the operator makes. */
  readonly operatorSettlements: readonly Settlement[];
  /** The provider that can send the money back to its payer; null if none can, or a refund excludes another. */
  readonly refundThrough: string | null;
  /** The refunds of its money, or the refund that it is about; the oldest first. */
  readonly refunds: readonly RefundView[];
  /** What people know its intent by; null if it is about no intent of the merchant. */
  readonly about: IntentNames | null;
  /** Of the people involved, by id. */
  readonly names: ActorNames;
}

/** Lists at most `limit` of the scope's exceptions after the position, newest first. */
export async function listExceptions(
  scope: Scope,
  filter: ExceptionFilter,
  after: PagePosition | null,
  limit: number,
): Promise<Page<ExceptionView>> {
  const found = await listExceptionsOf(scope, filter, after, limit + 1);
  return { rows: await seen(scope, found.slice(0, limit)), hasMore: found.length > limit };
}

/** Returns the member's view of one exception of the scope. */
export async function getException(exception: StoredException, scope: Scope): Promise<ExceptionView> {
  const [one] = await seen(scope, [exception]);
  if (!one) throw new Error("an exception that was given is seen");
  return one;
}

/** Counts the exceptions that pass the filter, per state. Counting stops at EXCEPTIONS_CAP. */
export async function countExceptions(scope: Scope, filter: Omit<ExceptionFilter, "state">) {
  const [open, resolved] = await Promise.all([
    countExceptionsOf(scope, { ...filter, state: "open" }, EXCEPTIONS_CAP),
    countExceptionsOf(scope, { ...filter, state: "resolved" }, EXCEPTIONS_CAP),
  ]);
  return { open, resolved };
}

/** Lists those whom the scope's exceptions can be assigned to, and former ones who still own open exceptions. */
export function exceptionOwners(scope: Scope): Promise<ExceptionOwner[]> {
  return findExceptionOwners(scope, rolesFor("decide_exceptions"));
}

async function seen(scope: Scope, exceptions: readonly StoredException[]): Promise<ExceptionView[]> {
  const refunds = await refundsOf(scope, exceptions);
  const people = [
    ...exceptions.flatMap(({ ownerId, resolvedBy }) => [ownerId, resolvedBy?.id]),
    ...[...refunds.values()].flat().flatMap(peopleOf),
  ].filter((id) => id !== null && id !== undefined);
  const [bookings, names, intents] = await Promise.all([
    findSuspenseBookings(
      scope,
      exceptions.map(({ fact }) => fact),
    ),
    actorNames(scope.merchantId, people),
    findIntentNames(scope, [
      ...new Set(exceptions.map((exception) => aboutId(exception, refunds.get(exception.id) ?? []))),
    ]),
  ]);
  return exceptions.map((exception) => {
    const booking = bookings.get(exception.fact);
    const open = booking && exception.resolvedAt === null ? settlementsFor(booking.amount) : [];
    const own = refunds.get(exception.id) ?? [];
    const isOperators = (as: Settlement) => booking !== undefined && isOperatorsDecision(as, exception.fact, booking);
    return {
      id: exception.id,
      createdAt: exception.openedAt,
      exception,
      money: booking ? { amount: booking.amount, currency: booking.currency } : null,
      settlements: open.filter((as) => !isOperators(as)),
      operatorSettlements: open.filter(isOperators),
      refundThrough: booking && open.includes("refund") && mayFollow(own) ? refundingProvider(booking) : null,
      refunds: own,
      about: intents.get(aboutId(exception, own)) ?? null,
      names,
    };
  });
}

/** The exception's object; of a refund, the payment that people know. */
function aboutId({ objectId }: StoredException, refunds: readonly RefundView[]): string {
  return refunds.find(({ refund }) => refund.id === objectId)?.refund.paymentId ?? objectId;
}

function peopleOf({ refund, resolutions }: RefundView) {
  const findings = resolutions.flatMap(({ proposedBy, decidedBy }) => [proposedBy.id, decidedBy?.id]);
  return [refund.proposedBy, refund.decidedBy, ...findings];
}
