// Reconciling: a provider's settlement file held against our books, its results stored, its exceptions opened.
import { createHash } from "node:crypto";
import {
  findOpenByFactWithin,
  type Opening,
  openExceptionsWithin,
  resolveExceptionWithin,
} from "@/server/db/exceptions";
import { findNamedIntentsWithin, findUnsettledWithin } from "@/server/db/reconciliation/books";
import {
  findFileWithin,
  findPeriodEndWithin,
  insertFileWithin,
  type Period,
  type StoredFile,
} from "@/server/db/reconciliation/files";
import { type ImportScope, type ImportTransaction, importAlone } from "@/server/db/reconciliation/import";
import { findKnownLinesWithin, storeLinesWithin } from "@/server/db/reconciliation/lines";
import { validationError } from "@/server/domain/errors";
import { NOBODY } from "@/server/domain/exceptions";
import { type JudgedLine, judgeLines, type KnownLine } from "@/server/domain/reconciliation";
import {
  lineException,
  missingExternal,
  missingExternalFact,
  missingInternalFact,
  type UnsettledMovement,
} from "@/server/domain/reconciliation-exceptions";
import type { SettlementLine } from "@/server/domain/settlement-line";
import { now } from "@/server/platform/clock";
import { gatewayByName } from "@/server/psp/registry";
import { operatorAct } from "../merchants/operator";
import { bookBankLines, bookFees } from "./book-lines";
import { readSettlement } from "./read-settlement";

export interface Settlement extends ImportScope {
  /** Name of the file, for people. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Bounds of the time that the file covers, the end excluded; null where the file itself and those before it tell. */
  readonly from: Date | null;
  readonly to: Date | null;
}

export interface Reconciliation {
  readonly file: StoredFile;
  /** True when a file of the same bytes was imported before. */
  readonly isKnown: boolean;
  readonly lines: readonly JudgedLine[];
  /** What moved in our books during the file's time and is settled by no line of any file. */
  readonly unsettled: readonly UnsettledMovement[];
  readonly feesBooked: number;
  /** Lines that were booked to the bank account. */
  readonly linesBanked: number;
  readonly exceptionsOpened: number;
  readonly exceptionsResolved: number;
}

/**
 * Imports a settlement file. Importing it again, or another that repeats its lines, books and opens nothing twice; what
 * has fallen into place since is matched then, and its exception resolved. Throws validation_failed for a provider that
 * is not configured, for a faulty file (nothing is stored then) and for bounds that make no time.
 */
export async function reconcile(settlement: Settlement): Promise<Reconciliation> {
  const { provider } = settlement;
  if (!gatewayByName(provider)) throw validationError("provider", "is not configured");
  const lines = readSettlement(settlement.bytes);
  const imported = await importAlone(settlement, (transaction) => importWithin(transaction, settlement, lines));
  // Charges lock balances that payments wait for, so each is a commit of its own; an import that dies is done again.
  const feesBooked = await bookFees(settlement, imported.lines);
  return { ...imported, feesBooked, linesBanked: await bookBankLines(settlement, imported.lines) };
}

async function importWithin(
  transaction: ImportTransaction,
  settlement: Settlement,
  lines: readonly SettlementLine[],
): Promise<Omit<Reconciliation, "feesBooked" | "linesBanked">> {
  const references = [...new Set(lines.flatMap(({ reference }) => reference ?? []))];
  const intents = await findNamedIntentsWithin(transaction, settlement, references);
  const known = await findKnownLinesWithin(transaction, settlement, lines);
  const judged = judgeLines(lines, intents, known);
  const { file, isKnown } = await storeFile(transaction, settlement, lines);
  await storeLinesWithin(transaction, settlement, file.id, changedLines(judged, known));
  const unsettled = await findUnsettledWithin(transaction, settlement, file);
  return {
    file,
    isKnown,
    lines: judged,
    unsettled,
    exceptionsOpened: await openExceptions(transaction, settlement, file.id, judged, unsettled),
    exceptionsResolved: await resolveExceptions(transaction, settlement, judged, known),
  };
}

async function storeFile(
  transaction: ImportTransaction,
  settlement: Settlement,
  lines: readonly SettlementLine[],
): Promise<{ file: StoredFile; isKnown: boolean }> {
  const digest = createHash("sha256").update(settlement.bytes).digest("hex");
  const before = await findFileWithin(transaction, settlement, digest);
  const from = settlement.from ?? before?.from ?? (await beginning(transaction, settlement, lines));
  const to = settlement.to ?? before?.to ?? ending(lines);
  if (!from || !to) throw validationError("the file", "has no lines; give the period that it covers as from and to");
  if (from >= to) throw validationError("from", "must be before to");
  if (before) return { file: { id: before.id, from, to }, isKnown: true };
  const { name } = settlement;
  const id = await insertFileWithin(transaction, settlement, { digest, name, from, to, importedAt: now() });
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

/** Lines that are new, and those that our books lacked before and do not lack now, or lack for another reason. */
function changedLines(judged: readonly JudgedLine[], known: readonly KnownLine[]): JudgedLine[] {
  const before = new Map(known.map((line) => [line.digest, line]));
  return judged.filter(({ line, isRepeat, verdict, why }) => {
    const stored = before.get(line.digest);
    return !isRepeat && (!stored || stored.verdict !== verdict || stored.why !== why);
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
): Promise<number> {
  const wasMissing = new Set(known.filter(({ verdict }) => verdict === "missing_internal").map(({ digest }) => digest));
  const facts = judged.flatMap(({ line, verdict, transactionId }) => [
    ...(transactionId ? [missingExternalFact(transactionId)] : []),
    ...(wasMissing.has(line.digest) && verdict !== "missing_internal"
      ? [missingInternalFact(provider, line.digest)]
      : []),
  ]);
  const open = await findOpenByFactWithin(transaction, environment, facts);
  const act = operatorAct();
  for (const exception of open) {
    await resolveExceptionWithin(transaction, exception, "A settlement file has brought the other side.", act);
  }
  return open.length;
}
