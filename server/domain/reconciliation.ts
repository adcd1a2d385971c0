// Matches a provider's settlement lines to booked movements, and reports what does not match.

import { toDecimalString } from "./money";
import { bankDifference, isBankLine, isSameBatch, netOf } from "./reconciliation-bank";
import type { LineVerdict, SettlementLine } from "./settlement-line";

/** What our books say moved through the provider, once; `amount` is positive in the direction that the kind has. */
export interface Movement {
  readonly transactionId: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** An intent or refund that a line names, with all that moved for it. */
export interface NamedIntent {
  readonly merchantId: string;
  /** Of a refund, its payment. */
  readonly intentId: string;
  readonly kind: "payment" | "payout" | "topup" | "refund";
  readonly status: string;
  readonly movements: readonly Movement[];
}

/** A line of an earlier import, as it was judged then. */
export interface KnownLine {
  readonly digest: string;
  readonly lineId: string;
  readonly verdict: LineVerdict;
  readonly why: string | null;
  readonly merchantId: string | null;
  readonly transactionId: string | null;
  /** True where members uploaded it and the operator imports now: ids of lines in their files bind only them. */
  readonly isOfAnotherImporter?: boolean;
}

interface Judgement {
  readonly verdict: LineVerdict;
  /** Why a person must act on it, in words and decimal sums; null if no action is needed. */
  readonly why: string | null;
  readonly merchantId: string | null;
  /** The movement that it settles. */
  readonly transactionId: string | null;
}

export interface JudgedLine extends Judgement {
  readonly line: SettlementLine;
  /** The intent that the line names; null where it names none of ours. */
  readonly intentId: string | null;
  /** True for a line that repeats an earlier one of the same file, word for word: it says nothing further. */
  readonly isRepeat: boolean;
  /** What an earlier import found; null for a line that no import has stored. */
  readonly before: LineVerdict | null;
}

/** A line that names an intent with movements, one of which it may settle. */
interface Candidate {
  readonly line: SettlementLine;
  readonly intent: NamedIntent;
}

/**
 * Judges the lines of one file, in order. What an earlier import has found stays, but for lines that our books lacked
 * then: also of a second movement of which the books had only the first one, and of the operator's file where a member's upload made
 * one a duplicate. Sums that agree are joined first, so that a line with a wrong sum never takes the movement of a right one. `file` has
 * all lines of the file where only some are judged here: they may share a bank transfer. `bookedByHand` has the digests of lines
 * that journal entries have booked: they stay missing, and need nobody.
 */
export function judgeLines(
  lines: readonly SettlementLine[],
  intents: ReadonlyMap<string, NamedIntent>,
  known: readonly KnownLine[],
  file: readonly SettlementLine[] = lines,
  bookedByHand: ReadonlySet<string> = new Set(),
): JudgedLine[] {
  const judgements = new Map<string, Judgement>();
  const candidates: Candidate[] = [];
  const knownByDigest = new Map(known.map((line) => [line.digest, line]));
  const named = known.filter(({ isOfAnotherImporter }) => !isOfAnotherImporter);
  const digestOf = new Map(named.map(({ lineId, digest }) => [lineId, digest]));
  const settled = new Set(known.flatMap(({ transactionId }) => transactionId ?? []));

  const ofFile = distinct(file);
  for (const { lineId, digest } of ofFile) digestOf.set(lineId, digestOf.get(lineId) ?? digest);
  const isReused = ({ lineId, digest }: SettlementLine) =>
    (digestOf.get(lineId) ?? digest) !== digest && knownByDigest.get(digest)?.verdict !== "bank";
  for (const line of distinct(lines)) {
    const before = knownByDigest.get(line.digest);
    const intent = line.reference === null ? null : (intents.get(line.reference) ?? null);
    const isNew = !before || isUploadedDuplicate(before);
    if (before && !isNew && before.verdict !== "missing_internal" && !isSpare(before))
      judgements.set(line.digest, before);
    else if (bookedByHand.has(line.digest)) judgements.set(line.digest, byHand(before, intent));
    else if (isReused(line) && isNew) judgements.set(line.digest, reusedId(intent));
    else if (isBankLine(line)) judgements.set(line.digest, judgeBank(line, ofFile, bookedByHand, isReused));
    else if (line.kind === "fee") judgements.set(line.digest, judgeFee(line, intent));
    else if (intent && intent.kind === line.kind && intent.movements.length > 0) candidates.push({ line, intent });
    else if (before && isSpare(before)) judgements.set(line.digest, before);
    else judgements.set(line.digest, missing(line, intent));
  }

  const settle = (fits: (candidate: Candidate, movement: Movement) => boolean) => {
    for (const candidate of candidates.filter(({ line }) => !judgements.has(line.digest))) {
      const { line, intent } = candidate;
      const free = intent.movements.filter(({ transactionId }) => !settled.has(transactionId));
      const movement = free.find((one) => fits(candidate, one));
      if (!movement) continue;
      settled.add(movement.transactionId);
      judgements.set(line.digest, settlement(line, intent, movement));
    }
  };
  settle(({ line }, movement) => agrees(line, movement));
  settle(() => true);

  const seen = new Set<string>();
  return lines.map((line) => {
    const isRepeat = seen.has(line.digest);
    seen.add(line.digest);
    const intent = intents.get(line.reference ?? "") ?? null;
    const intentId = intent?.intentId ?? null;
    const { verdict, why, merchantId, transactionId } = judgements.get(line.digest) ?? settledAlready(intent);
    const judged = { line, intentId, isRepeat, merchantId, before: knownByDigest.get(line.digest)?.verdict ?? null };
    if (!isRepeat) return { ...judged, verdict, why, transactionId };
    return { ...judged, verdict: "duplicate", why: null, transactionId: null };
  });
}

/** The lines without word-for-word repeats of earlier ones. */
function distinct(lines: readonly SettlementLine[]): SettlementLine[] {
  const firstOfDigest = new Map([...lines].reverse().map((line) => [line.digest, line]));
  return lines.filter((one) => firstOfDigest.get(one.digest) === one);
}

function agrees(line: SettlementLine, movement: Movement): boolean {
  return movement.amount === line.amount && movement.currency === line.currency;
}

function settlement(line: SettlementLine, { merchantId }: NamedIntent, movement: Movement): Judgement {
  const { transactionId, amount, currency } = movement;
  if (agrees(line, movement)) return { verdict: "matched", why: null, merchantId, transactionId };
  const why = `our books have ${toDecimalString(amount, currency)} ${currency}`;
  return { verdict: "amount_mismatch", why, merchantId, transactionId };
}

function judgeFee(line: SettlementLine, intent: NamedIntent | null): Judgement {
  if (intent) return { verdict: "fee", why: null, merchantId: intent.merchantId, transactionId: null };
  if (line.reference !== null) return missing(line, null);
  return { verdict: "fee", why: "it names no intent, so it is no merchant's", merchantId: null, transactionId: null };
}

/**
 * Batches that do not add up are judged again when a later file repeats the line. Nothing tells which lines of its batch a transfer
 * was for that was booked by hand, or that its provider has corrected, so the batch's other transfers are booked by hand, too.
 */
function judgeBank(
  line: SettlementLine,
  file: readonly SettlementLine[],
  bookedByHand: ReadonlySet<string>,
  isReused: (line: SettlementLine) => boolean,
): Judgement {
  const others = file.filter((other) => isBankLine(other) && isSameBatch(other, line));
  const why =
    bankDifference(line, file) ??
    (others.some(({ digest }) => bookedByHand.has(digest))
      ? "another bank line of its batch was booked by hand"
      : null) ??
    (others.some(isReused) ? "the line_id of a bank line of its batch has named another line before" : null);
  return { verdict: why === null ? "bank" : "missing_internal", why, merchantId: null, transactionId: null };
}

/** True for a line that came after others had settled all that moved. What moves later may be its own. */
function isSpare({ verdict, why }: KnownLine): boolean {
  return verdict === "duplicate" && why === SETTLED_ALREADY;
}

/** True if the ids of lines in a member's file made it one: they bind only members. */
function isUploadedDuplicate({ verdict, isOfAnotherImporter }: KnownLine): boolean {
  return verdict === "duplicate" && isOfAnotherImporter === true;
}

function byHand(before: KnownLine | undefined, intent: NamedIntent | null): Judgement {
  if (before && before.verdict !== "missing_internal") return before;
  const merchantId = intent?.merchantId ?? before?.merchantId ?? null;
  return { verdict: "missing_internal", why: null, merchantId, transactionId: null };
}

/** True for a line that our books lack because a journal entry has booked it. */
export function isBookedByHand({ verdict, why, isRepeat }: JudgedLine): boolean {
  return verdict === "missing_internal" && why === null && !isRepeat;
}

function missing(line: SettlementLine, intent: NamedIntent | null): Judgement {
  const why = ((): string => {
    if (line.reference === null) return "it names no intent";
    if (!intent) return "there is no such intent of this provider in this environment";
    if (intent.kind !== line.kind) return `the intent is a ${intent.kind}`;
    return `the intent is ${intent.status}: nothing moved in our books`;
  })();
  return { verdict: "missing_internal", why, merchantId: intent?.merchantId ?? null, transactionId: null };
}

function duplicate(intent: NamedIntent | null, why: string): Judgement {
  return { verdict: "duplicate", why, merchantId: intent?.merchantId ?? null, transactionId: null };
}

const SETTLED_ALREADY = "another line has settled all that moved in our books";

function settledAlready(intent: NamedIntent | null): Judgement {
  return duplicate(intent, SETTLED_ALREADY);
}

function reusedId(intent: NamedIntent | null): Judgement {
  return duplicate(intent, "its line_id has named another line before");
}

/** The charge that a line brings for a merchant: what it kept, or all of it. Null where there is none to be booked. */
export function chargeOf({ line, verdict, merchantId, isRepeat }: JudgedLine): bigint | null {
  const counts = verdict === "matched" || verdict === "amount_mismatch" || verdict === "fee";
  if (isRepeat || !counts || merchantId === null) return null;
  const charge = line.kind === "fee" ? line.amount : line.fee;
  return charge > 0n ? charge : null;
}

/** One line of a merchant's that the bank account was settled for. */
export interface BankedLine {
  readonly line: SettlementLine;
  readonly merchantId: string;
  readonly intentId: string;
  /** Minor units; below zero where it left the bank account. */
  readonly amount: bigint;
}

/**
 * The lines of intents that the file's bank lines settle: those of batches that add up over all lines of the file, and of which
 * no bank line was booked by hand.
 */
export function bankedLines(
  judged: readonly JudgedLine[],
  file: readonly SettlementLine[] = judged.map(({ line }) => line),
): BankedLine[] {
  const lines = distinct(file);
  // A bank line keeps its verdict, but settles lines that a later file adds to its batch only if that still adds up.
  const settled = judged.filter(({ line, verdict }) => verdict === "bank" && bankDifference(line, lines) === null);
  const byHand = judged.filter((one) => isBankLine(one.line) && isBookedByHand(one)).map(({ line }) => line);
  return judged.flatMap(({ line, intentId, verdict, merchantId, isRepeat, before }) => {
    const isBooked = verdict === "matched" || verdict === "amount_mismatch" || verdict === "fee";
    if (!isBooked || isRepeat || merchantId === null || intentId === null) return [];
    // Without a batch, a transfer is for the lines of its file; what a later file has beside it may only have the same sum.
    const isOfOwnFile = (bank: JudgedLine) => line.batch !== null || bank.before !== "bank" || before !== null;
    if (!settled.some((bank) => isSameBatch(bank.line, line) && isOfOwnFile(bank))) return [];
    if (byHand.some((bank) => isSameBatch(bank, line))) return [];
    const amount = netOf(line);
    return amount === 0n ? [] : [{ line, merchantId, intentId, amount }];
  });
}
