// How built-in adapters read what providers answer: calls that created nothing, and statuses by tables.
import type { NeverAccepted, NotSent, Unknown } from "@/server/domain/outcome";
import { forOperator } from "./account-guard";
import { shownStatus } from "./http/reports";

/** An answer to a creating call that names no object. */
export interface NoObject {
  /** For staff; contains nothing that the provider sent but its codes. */
  readonly detail: string;
  /** No byte of the call was sent. */
  readonly isUnsent: boolean;
  /** The provider's documents say that such an answer created nothing. */
  readonly isRefusal: boolean;
}

/** Converts an answer to a creating call that names no object. A repeated call proves nothing about the earlier ones. */
export function creationFailure(
  { detail, isUnsent, isRefusal }: NoObject,
  isRepeat: boolean,
): NeverAccepted | NotSent | Unknown {
  if (isUnsent) return { kind: "not_sent", detail };
  return { kind: isRefusal && !isRepeat ? "never_accepted" : "unknown", detail };
}

/** Returns the row of a status, or undefined; names that every object has are no rows. */
export function rowOf<Row>(table: Readonly<Record<string, Row>>, status: string): Row | undefined {
  return Object.hasOwn(table, status) ? table[status] : undefined;
}

/** A status without a row: no later poll resolves it without a person. */
export function unknownStatus(provider: string, status: string): Unknown {
  return forOperator(`${provider} reports a status that Sluice does not know: ${shownStatus(status)}.`);
}
