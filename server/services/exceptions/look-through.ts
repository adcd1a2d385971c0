// Exceptions as members of their merchant see them: page by page, with the money each is about and who has it.
import {
  countExceptionsOf,
  type ExceptionFilter,
  listExceptionsOf,
  type StoredException,
} from "@/server/db/exceptions";
import { findNames } from "@/server/db/history";
import { findSuspenseBookings } from "@/server/db/suspense";
import type { Scope } from "@/server/domain/scope";
import { type Settlement, settlementsFor } from "@/server/domain/suspense";
import type { Page, PagePosition } from "../page";

/** Counting stops here: more than that is "at least so many". */
export const EXCEPTIONS_CAP = 1_000;

export interface ExceptionView {
  readonly id: string;
  readonly createdAt: Date;
  readonly exception: StoredException;
  /** What is in suspense because of it, in minor units, below zero where it is missing there; null for no such money. */
  readonly money: { readonly amount: bigint; readonly currency: string } | null;
  /** The decisions that there are about that money; none once it is settled. */
  readonly settlements: readonly Settlement[];
  /** Addresses of the members behind it, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** At most `limit` of the scope's exceptions after the position, the newest first. */
export async function listMerchantExceptions(
  scope: Scope,
  filter: ExceptionFilter,
  after: PagePosition | null,
  limit: number,
): Promise<Page<ExceptionView>> {
  const found = await listExceptionsOf(scope, filter, after, limit + 1);
  return { rows: await seen(scope, found.slice(0, limit)), hasMore: found.length > limit };
}

/** One exception of the scope as members see it. */
export async function getExceptionView(exception: StoredException, scope: Scope): Promise<ExceptionView> {
  const [one] = await seen(scope, [exception]);
  if (!one) throw new Error("an exception that was given is seen");
  return one;
}

/** How many of each state pass the filter, its own state left aside; counting stops at EXCEPTIONS_CAP. */
export async function countExceptions(scope: Scope, filter: Omit<ExceptionFilter, "state">) {
  const [open, resolved] = await Promise.all([
    countExceptionsOf(scope, { ...filter, state: "open" }, EXCEPTIONS_CAP),
    countExceptionsOf(scope, { ...filter, state: "resolved" }, EXCEPTIONS_CAP),
  ]);
  return { open, resolved };
}

async function seen(scope: Scope, exceptions: readonly StoredException[]): Promise<ExceptionView[]> {
  const people = exceptions.flatMap(({ ownerId, resolvedBy }) => [ownerId ?? [], resolvedBy?.id ?? []].flat());
  const [bookings, names] = await Promise.all([
    findSuspenseBookings(
      scope,
      exceptions.map(({ fact }) => fact),
    ),
    findNames(scope.merchantId, [...new Set(people)]),
  ]);
  return exceptions.map((exception) => {
    const booking = bookings.get(exception.fact);
    return {
      id: exception.id,
      createdAt: exception.openedAt,
      exception,
      money: booking ? { amount: booking.amount, currency: booking.currency } : null,
      settlements: booking && exception.resolvedAt === null ? settlementsFor(booking.amount) : [],
      names,
    };
  });
}
