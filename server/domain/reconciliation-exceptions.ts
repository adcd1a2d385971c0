// The exceptions that a reconciliation opens.
import type { ExceptionFact, ExceptionKind } from "./exceptions";
import type { JudgedLine, Movement } from "./reconciliation";
import type { LineVerdict } from "./settlement-line";

const KINDS: Readonly<Record<LineVerdict, ExceptionKind | null>> = {
  matched: null,
  amount_mismatch: "amount_mismatch",
  missing_internal: "missing_internal",
  duplicate: "duplicate",
  fee: "unassigned_fee",
  bank: null,
};

const MISSING = "missing_internal:";
const DUPLICATE = "duplicate:";

/** What the facts of lines start with that were missing from our books. */
function linesFacts(provider: string): string {
  return `${MISSING}${provider}:`;
}

/** The fact that a line was missing from our books, by which its exception is found again. */
export function missingInternalFact(provider: string, digest: string): string {
  return `${linesFacts(provider)}${digest}`;
}

/** What the facts of lines start with of which nothing of an intent is booked, so that people may book them by hand. */
const UNBOOKED = [MISSING, DUPLICATE, "unassigned_fee:"];

/** What the facts of all lines start with. */
export const LINE_FACTS: readonly string[] = [...UNBOOKED, "amount_mismatch:"];

/** What the facts of such lines of a provider start with. */
export function unbookedFacts(provider: string): readonly string[] {
  return UNBOOKED.map((start) => `${start}${provider}:`);
}

/** Names a line of a provider's file. */
export interface LineOfFact {
  readonly provider: string;
  readonly digest: string;
}

/** The line of such a fact; null for a fact about anything else. */
export function lineOfFact(fact: string): LineOfFact | null {
  const [, provider, digest] = fact.split(":");
  const isOfLine = UNBOOKED.some((start) => fact.startsWith(start)) && provider !== undefined && digest !== undefined;
  return isOfLine ? { provider, digest } : null;
}

/** The provider of whose file such a line is. */
export function providerOfFact(fact: string): string | null {
  return lineOfFact(fact)?.provider ?? null;
}

/** True for the fact of a line that was missing from our books. */
export function isMissingInternal(fact: string): boolean {
  return fact.startsWith(MISSING);
}

/** The facts of exceptions that a line may have had before it found its movement. */
export function unbookedFactsOf(provider: string, digest: string): readonly string[] {
  return [missingInternalFact(provider, digest), `${DUPLICATE}${provider}:${digest}`];
}

/** The fact that a movement was missing from the provider's settlement. */
export function missingExternalFact(transactionId: string): string {
  return `missing_external:${transactionId}`;
}

/** The exception of a judged line; null if it needs no action. */
export function lineException(provider: string, fileId: string, judged: JudgedLine): ExceptionFact | null {
  const { line, verdict, why } = judged;
  const kind = KINDS[verdict];
  if (kind === null || why === null || judged.isRepeat) return null;
  const { digest, lineId, reference, amount, currency } = line;
  return {
    kind,
    objectId: judged.intentId ?? reference ?? lineId,
    fact: kind === "missing_internal" ? missingInternalFact(provider, digest) : `${kind}:${provider}:${digest}`,
    detail: { provider, file: fileId, line_id: lineId, amount: amount.toString(), currency, why },
  };
}

/** A movement of ours that the provider's settlement of its time lacks. */
export interface UnsettledMovement extends Movement {
  readonly merchantId: string;
  readonly intentId: string;
  readonly bookedAt: Date;
}

/** The exception of such a movement. */
export function missingExternal(provider: string, fileId: string, movement: UnsettledMovement): ExceptionFact {
  const { transactionId, intentId, amount, currency, bookedAt } = movement;
  const sum = { amount: amount.toString(), currency };
  return {
    kind: "missing_external",
    objectId: intentId,
    fact: missingExternalFact(transactionId),
    detail: { provider, file: fileId, transaction: transactionId, ...sum, booked_at: bookedAt.toISOString() },
  };
}
