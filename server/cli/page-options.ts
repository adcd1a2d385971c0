// The options of commands that print a log a page at a time, newest first, and what they select.
import { validationError } from "@/server/domain/errors";
import { ENVIRONMENTS, type Scope } from "@/server/domain/scope";
import { decodeCursor, encodeCursor } from "@/server/http/cursor";
import type { PagePosition } from "@/server/services/page";
import { oneOf, optional, required } from "./command";
import { readOptionalInstant } from "./instant-option";

const DEFAULT_LIMIT = 100;
const MAXIMUM_LIMIT = 1_000;

export const PAGE_OPTIONS = {
  merchant: required("ID", "the merchant"),
  environment: oneOf(ENVIRONMENTS, "whose entries"),
  key: optional("KEY", "only those of this API key: its public key or its id"),
  object: optional("ID", "only those about this object, such as a payout"),
  from: optional("TIME", "only those at this time or later, such as 2026-11-21T00:00:00Z"),
  to: optional("TIME", "only those before this time"),
  limit: optional("N", `how many at most: ${DEFAULT_LIMIT} by default, ${MAXIMUM_LIMIT} at most`),
  cursor: optional("TEXT", "next_cursor of the page before, with the same other options"),
};

interface PageValues {
  readonly merchant: string;
  readonly environment: Scope["environment"];
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: string | null;
  readonly cursor: string | null;
}

/** Reads the options of a list with this name, to which its cursors are bound. Throws validation_failed. */
export function readPage(list: string, { merchant, environment, from, to, limit, cursor }: PageValues) {
  const scope = { merchantId: merchant, environment };
  return {
    scope,
    dates: {
      createdAfter: readOptionalInstant("from", from) ?? undefined,
      createdBefore: readOptionalInstant("to", to) ?? undefined,
    },
    limit: readLimit(limit),
    after: cursor === null ? null : decodeCursor(scope, list, cursor),
  };
}

/** The part of the document that says whether more follows, and where. */
export function presentNext(list: string, scope: Scope, next: PagePosition | null) {
  return { has_more: next !== null, next_cursor: next && encodeCursor(scope, list, next) };
}

function readLimit(text: string | null): number {
  if (text === null) return DEFAULT_LIMIT;
  const limit = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(limit <= MAXIMUM_LIMIT)) throw validationError("limit", `must be a whole number from 1 to ${MAXIMUM_LIMIT}`);
  return limit;
}
