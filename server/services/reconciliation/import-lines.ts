// Reconciling in one cell: lines of a provider's settlement file held against our books, the results stored, exceptions opened.
import { createHash } from "node:crypto";
import type { Act } from "@/server/db/audit/record";
import {
  findOpenByFactWithin,
  type Opening,
  openExceptionsWithin,
  resolveExceptionWithin,
  type StoredException,
} from "@/server/db/exceptions";
import { findBankedWithin, storeBankedWithin } from "@/server/db/reconciliation/banked-lines";
import { findNamedIntentsWithin, findUnsettledWithin } from "@/server/db/reconciliation/books";
import {
  findFileWithin,
  findPeriodEndWithin,
  insertFileWithin,
  type Period,
  type StoredFile,
} from "@/server/db/reconciliation/files";
import { findHandBookingsWithin } from "@/server/db/reconciliation/hand-bookings";
import type { ImportScope, ImportTransaction } from "@/server/db/reconciliation/import";
import { findKnownLinesWithin, storeLinesWithin } from "@/server/db/reconciliation/lines";
import { validationError } from "@/server/domain/errors";
import { NOBODY } from "@/server/domain/exceptions";
import {
  isBookedByHand,
  type JudgedLine,
  judgeLines,
  type KnownLine,
  newlyBanked,
} from "@/server/domain/reconciliation";
import {
  lineException,
  missingExternal,
  missingExternalFact,
  missingInternalFact,
  type UnsettledMovement,
  unbookedFactsOf,
} from "@/server/domain/reconciliation-exceptions";
import type { SettlementLine } from "@/server/domain/settlement-line";
import { now } from "@/server/platform/clock";
import { bookedByHand, uploadedDigest } from "./hand-booked-lines";

export interface Settlement extends Omit<ImportScope, "merchantId"> {
  /** Name of the file, for people. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Bounds of the time that the file covers, the end excluded; null where the file itself and those before it tell. */
  readonly from: Date | null;
  readonly to: Date | null;
}

/** What an import has done in one cell. */
export interface Imported {
  readonly file: StoredFile;
  /** True when a file of the same bytes was imported before. */
  readonly isKnown: boolean;
  readonly lines: readonly JudgedLine[];
  /** Digests of lines of the file that a bank line of the cell settles. */
  readonly banked: ReadonlySet<string>;
  /** What moved in our books during the file's time and is settled by no line of any file. */
  readonly unsettled: readonly UnsettledMovement[];
  readonly exceptionsOpened: number;
  readonly exceptionsResolved: number;
}

/** A file as the operator or a member imports it. */
export interface Import extends Settlement, ImportScope {
  /** The member who uploads it; null for the operator. */
  readonly uploadedBy: string | null;
}

export interface Judged {
  readonly lines: readonly JudgedLine[];
  /** All lines of the file, also those of other cells. */
  readonly file: readonly SettlementLine[];
  /** What earlier imports have stored that concerns them. */
  readonly known: readonly KnownLine[];
  /** Digests of lines of the file that a bank line has settled before. */
  readonly banked: ReadonlySet<string>;
}

/** Compares lines of a file, by default all of them, with the books, and writes nothing. `knownElsewhere` are lines of other cells. */
export async function judgeWithin(
  transaction: ImportTransaction,
  settlement: ImportScope,
  file: readonly SettlementLine[],
  lines = file,
  knownElsewhere: readonly KnownLine[] = [],
): Promise<Judged> {
  const references = [...new Set(lines.flatMap(({ reference }) => reference ?? []))];
  const intents = await findNamedIntentsWithin(transaction, settlement, references);
  const known = await findKnownLinesWithin(transaction, settlement, lines);
  const bookings = await findHandBookingsWithin(transaction, settlement);
  const banked = await findBankedWithin(transaction, settlement, file);
  const surroundings = {
    file,
    bookedByHand: bookedByHand(settlement.provider, file, intents, bookings),
    idsBookedByHand: new Set(bookings.flatMap(({ lineId }) => lineId ?? [])),
    banked,
  };
  const judged = judgeLines(lines, intents, [...knownElsewhere, ...known], surroundings);
  return { lines: judged, file, known, banked };
}

/** Stores what was judged, opens the exceptions of what differs, and resolves those of what has fallen into place. */
export async function storeWithin(
  transaction: ImportTransaction,
  settlement: Import,
  { lines: judged, file: lines, known, banked }: Judged,
  act: Act,
): Promise<Imported> {
  const { file, isKnown } = await storeFile(transaction, settlement, lines);
  await storeLinesWithin(transaction, settlement, file.id, changedLines(judged, known));
  // A member's file books nothing.
  const settled = settlement.merchantId === null ? newlyBanked(judged, lines, banked) : [];
  await storeBankedWithin(transaction, settlement, settled);
  const unsettled = await findUnsettledWithin(transaction, settlement, file);
  return {
    file,
    isKnown,
    lines: judged,
    banked: new Set([...banked, ...settled.map(({ digest }) => digest)]),
    unsettled,
    exceptionsOpened: await openExceptions(transaction, settlement, file.id, judged, unsettled),
    exceptionsResolved: await resolveExceptions(transaction, settlement, judged, known, act),
  };
}

/** The file's own name in its scope: a member's upload never meets a file of another merchant, or of the operator. */
function digestOf({ bytes, merchantId }: Import): string {
  return createHash("sha256")
    .update(merchantId ?? "")
    .update(bytes)
    .digest("hex");
}

/** The file of those bytes, if it was imported before, and the time that the import covers. Throws validation_failed. */
export async function periodWithin(
  transaction: ImportTransaction,
  settlement: Import,
  lines: readonly SettlementLine[],
): Promise<{ readonly before: StoredFile | null; readonly from: Date; readonly to: Date }> {
  const before = await findFileWithin(transaction, settlement, digestOf(settlement));
  const from = settlement.from ?? before?.from ?? (await beginning(transaction, settlement, lines));
  const to = settlement.to ?? before?.to ?? ending(lines);
  if (!from || !to) throw validationError("the file", "has no lines; give the period that it covers as from and to");
  if (from >= to) throw validationError("from", "must be before to");
  return { before, from, to };
}

async function storeFile(
  transaction: ImportTransaction,
  settlement: Import,
  lines: readonly SettlementLine[],
): Promise<{ file: StoredFile; isKnown: boolean }> {
  const { before, from, to } = await periodWithin(transaction, settlement, lines);
  if (before) return { file: { id: before.id, from, to }, isKnown: true };
  const { name, uploadedBy } = settlement;
  const file = { digest: digestOf(settlement), name, from, to, importedAt: now(), uploadedBy };
  const id = await insertFileWithin(transaction, settlement, file);
  return { file: { id, from, to }, isKnown: false };
}

/** From where the file before has ended, so that nothing that moved between two files is overlooked. */
async function beginning(
  transaction: ImportTransaction,
  scope: ImportScope,
  lines: readonly SettlementLine[],
): Promise<Period["from"] | null> {
  const first = instants(lines).reduce((earliest, ms) => Math.min(earliest, ms), Number.POSITIVE_INFINITY);
  if (first === Number.POSITIVE_INFINITY) return null;
  return (await findPeriodEndWithin(transaction, scope, new Date(first))) ?? new Date(first);
}

function ending(lines: readonly SettlementLine[]): Period["to"] | null {
  const last = instants(lines).reduce((latest, ms) => Math.max(latest, ms), Number.NEGATIVE_INFINITY);
  return last === Number.NEGATIVE_INFINITY ? null : new Date(last + 1);
}

function instants(lines: readonly SettlementLine[]): number[] {
  return lines.map(({ settledAt }) => settledAt.getTime());
}

/** Lines that are new here, and those that our books lacked before and do not lack now, or lack for another reason. */
function changedLines(judged: readonly JudgedLine[], known: readonly KnownLine[]): JudgedLine[] {
  const before = new Map(known.map((line) => [line.digest, line]));
  return judged.filter(({ line, isRepeat, verdict, why }) => {
    const stored = before.get(line.digest);
    const isNew = !stored || stored.isOfAnotherImporter === true;
    return !isRepeat && (isNew || stored.verdict !== verdict || stored.why !== why);
  });
}

function openExceptions(
  transaction: ImportTransaction,
  { provider, environment }: ImportScope,
  fileId: string,
  judged: readonly JudgedLine[],
  unsettled: readonly UnsettledMovement[],
): Promise<number> {
  const ofLines = judged.flatMap((line): Opening[] => {
    const fact = lineException(provider, fileId, line);
    return fact ? [{ ...fact, scope: { merchantId: line.merchantId ?? NOBODY, environment } }] : [];
  });
  const ofMovements = unsettled.map((movement): Opening => {
    const { merchantId } = movement;
    return { ...missingExternal(provider, fileId, movement), scope: { merchantId, environment } };
  });
  return openExceptionsWithin(transaction, [...ofLines, ...ofMovements], now());
}

/** What was missing on either side and is there now needs no person any more. */
async function resolveExceptions(
  transaction: ImportTransaction,
  { provider, environment }: ImportScope,
  judged: readonly JudgedLine[],
  known: readonly KnownLine[],
  act: Act,
): Promise<number> {
  const facts = [
    ...judged.flatMap(({ transactionId }) => (transactionId ? [missingExternalFact(transactionId)] : [])),
    ...foundFacts(provider, judged),
    ...uploadedFacts(provider, judged, known),
  ];
  const open = await findOpenByFactWithin(transaction, environment, facts);
  return resolveAll(transaction, open, "A settlement file has brought the other side.", act);
}

async function resolveAll(
  transaction: ImportTransaction,
  open: readonly StoredException[],
  note: string,
  act: Act,
): Promise<number> {
  for (const exception of open) await resolveExceptionWithin(transaction, exception, note, act);
  return open.length;
}

/** True for a line that no journal entry need book any more. A repeat within the file says nothing about its line. */
const isFound = (judged: JudgedLine) =>
  (judged.verdict !== "missing_internal" && !judged.isRepeat) || isBookedByHand(judged);

/**
 * What was missing in our books, of lines that are there now. An exception that somebody has resolved tells nothing: it may be the
 * useless one of two, in the cell where the merchant was not.
 */
export function foundFacts(provider: string, judged: readonly JudgedLine[]): string[] {
  return judged.filter(isFound).flatMap((one) => factsOf(provider, one.line.digest, one));
}

/** Facts of exceptions that the line of that digest does not need any more, once it is judged so. */
function factsOf(provider: string, digest: string, { transactionId }: JudgedLine): readonly string[] {
  return transactionId === null ? [missingInternalFact(provider, digest)] : unbookedFactsOf(provider, digest);
}

/** The same of lines that members uploaded under digests of their own: an entry could book them by that exception. */
function uploadedFacts(provider: string, judged: readonly JudgedLine[], known: readonly KnownLine[]): string[] {
  const found = new Map(judged.filter(isFound).map((one) => [one.line.lineId, one]));
  return known.flatMap(({ lineId, digest, merchantId, isOfAnotherImporter }) => {
    const one = isOfAnotherImporter ? found.get(lineId) : undefined;
    const isCopy = one && merchantId !== null && digest === uploadedDigest(merchantId, one.line.digest);
    return isCopy ? factsOf(provider, digest, one) : [];
  });
}

/**
 * Resolves the exceptions of lines that were nobody's in this cell, where another one has settled the fact: their merchant has
 * moved. Returns how many.
 */
export async function resolveNobodysWithin(
  transaction: ImportTransaction,
  { environment }: ImportScope,
  settledElsewhere: readonly string[],
  act: Act,
): Promise<number> {
  const open = await findOpenByFactWithin(transaction, environment, settledElsewhere);
  return resolveAll(
    transaction,
    open.filter(({ merchantId }) => merchantId === null),
    "The line is settled in another cell, to which its merchant has moved.",
    act,
  );
}
