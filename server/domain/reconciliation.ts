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
  /** True where only members have uploaded it and the operator imports now: ids of lines in their files bind only them. */
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

/** What lines are judged with, beside the books and what is known of the lines themselves. */
export interface Surroundings {
  /** All lines of the file where only some are judged here: they may share a bank transfer. */
  readonly file: readonly SettlementLine[];
  /** Digests of lines that people have booked: they stay missing, and need nobody. */
  readonly bookedByHand: ReadonlySet<string>;
  /** The ids of these lines, and of others that people have booked. */
  readonly idsBookedByHand: ReadonlySet<string>;
  /** Digests of lines that a bank line has settled. */
  readonly banked: ReadonlySet<string>;
}

/** A line that names an intent with movements, one of which it may settle. */
interface Candidate {
  readonly line: SettlementLine;
  readonly intent: NamedIntent;
}

/**
 * Judges the lines of one file, in order. What an earlier import has found stays, but for lines that our books lacked
 * then: also of a second movement of which the books had only the first one, and of the operator's file where a member's upload made
 * one a duplicate. Sums that agree are joined first, so that a line with a wrong sum never takes the movement of a right one.
 */
export function judgeLines(
  lines: readonly SettlementLine[],
  intents: ReadonlyMap<string, NamedIntent>,
  known: readonly KnownLine[],
  {
    file = lines,
    bookedByHand = new Set(),
    idsBookedByHand = new Set(),
    banked = new Set(),
  }: Partial<Surroundings> = {},
): JudgedLine[] {
  const judgements = new Map<string, Judgement>();
  const candidates: Candidate[] = [];
  const knownByDigest = new Map(known.map((line) => [line.digest, line]));
  const named = known.filter(({ isOfAnotherImporter }) => !isOfAnotherImporter);
  const digestOf = new Map(named.map(({ lineId, digest }) => [lineId, digest]));
  const settled = new Set(known.flatMap(({ transactionId }) => transactionId ?? []));

  const ofFile = distinct(file);
  for (const { lineId, digest } of ofFile) digestOf.set(lineId, digestOf.get(lineId) ?? digest);
  const isBanked = ({ digest }: SettlementLine) => knownByDigest.get(digest)?.verdict === "bank";
  const isNamedByHand = ({ lineId, digest }: SettlementLine) =>
    idsBookedByHand.has(lineId) && !bookedByHand.has(digest);
  const isReused = (line: SettlementLine) =>
    !isBanked(line) && (isNamedByHand(line) || (digestOf.get(line.lineId) ?? line.digest) !== line.digest);
  // What bank lines have settled, and they themselves, are over.
  const unbanked = ofFile.filter((line) => !isBanked(line) && !banked.has(line.digest));
  for (const line of distinct(lines)) {
    const before = knownByDigest.get(line.digest);
    const intent = line.reference === null ? null : (intents.get(line.reference) ?? null);
    const isNew = !before || isUploadedDuplicate(before);
    if (before && !isNew && before.verdict !== "missing_internal" && !isSpare(before))
      judgements.set(line.digest, before);
    else if (bookedByHand.has(line.digest)) judgements.set(line.digest, byHand(before, intent));
    else if (isReused(line) && isNew) judgements.set(line.digest, reusedId(intent));
    else if (before && isNamedByHand(line)) judgements.set(line.digest, before);
    else if (isBankLine(line)) judgements.set(line.digest, judgeBank(line, unbanked, ofFile, bookedByHand, isReused));
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
  unbanked: readonly SettlementLine[],
  file: readonly SettlementLine[],
  bookedByHand: ReadonlySet<string>,
  isReused: (line: SettlementLine) => boolean,
): Judgement {
  const others = file.filter((other) => isBankLine(other) && isSameBatch(other, line));
  const why =
    bankDifference(line, unbanked) ??
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

/** Why a line is a duplicate that has the `line_id` of another one, such as of one that its provider corrects. */
export const REUSED_ID = "its line_id has named another line before";

function reusedId(intent: NamedIntent | null): Judgement {
  return duplicate(intent, REUSED_ID);
}

/** The charge that a line brings for a merchant: what it kept, or all of it. Null where there is none to be booked. */
export function chargeOf({ line, verdict, merchantId, isRepeat }: JudgedLine): bigint | null {
  const counts = verdict === "matched" || verdict === "amount_mismatch" || verdict === "fee";
  if (isRepeat || !counts || merchantId === null) return null;
  const charge = line.kind === "fee" ? line.amount : line.fee;
  return charge > 0n ? charge : null;
}

/** A line that a bank line settles, of whatever cell. */
export interface Settled {
  readonly digest: string;
  /** The bank line's. */
  readonly bankDigest: string;
}

/**
 * The lines that the file's new bank lines settle: those of their batches that no bank line has settled before. So each transfer is
 * for one set of lines, whatever other files have beside it.
 */
export function newlyBanked(
  judged: readonly JudgedLine[],
  file: readonly SettlementLine[],
  banked: ReadonlySet<string>,
): Settled[] {
  const settled = new Map<string, Settled>();
  for (const { line: bank } of judged.filter(({ verdict, before }) => verdict === "bank" && before !== "bank"))
    for (const line of file.filter((one) => isSameBatch(one, bank) && !isBankLine(one) && !banked.has(one.digest)))
      settled.set(line.digest, { digest: line.digest, bankDigest: bank.digest });
  return [...settled.values()];
}

/** One line of a merchant's that the bank account was settled for. */
export interface BankedLine {
  readonly line: SettlementLine;
  readonly merchantId: string;
  readonly intentId: string;
  /** Minor units; below zero where it left the bank account. */
  readonly amount: bigint;
}

/** The lines of intents, of those that bank lines settle. */
export function bankedLines(judged: readonly JudgedLine[], banked: ReadonlySet<string>): BankedLine[] {
  return judged.flatMap(({ line, intentId, verdict, merchantId, isRepeat }) => {
    const isBooked = verdict === "matched" || verdict === "amount_mismatch" || verdict === "fee";
    if (!isBooked || isRepeat || merchantId === null || intentId === null || !banked.has(line.digest)) return [];
    const amount = netOf(line);
    return amount === 0n ? [] : [{ line, merchantId, intentId, amount }];
  });
}
