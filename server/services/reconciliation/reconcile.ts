// The operator's import of a provider's settlement file. The provider keeps one account for merchants of all cells, so each cell
// gets the lines about its own merchants.
import { holdMerchantFences } from "@/server/db/merchant-fences";
import { importAlone } from "@/server/db/reconciliation/import";
import { validationError } from "@/server/domain/errors";
import { bankedLines } from "@/server/domain/reconciliation";
import { isBankLine } from "@/server/domain/reconciliation-bank";
import type { SettlementLine } from "@/server/domain/settlement-line";
import { allCells, type Cell, currentCell, inCell } from "@/server/platform/cell";
import { gatewayByName } from "@/server/psp/registry";
import { operatorAct } from "../merchants/operator";
import { asServiceError, temporarilyUnavailable } from "../outage";
import { bookBankLines, bookFees } from "./book-lines";
import { type CellsOfLines, cellsOfLines } from "./cells-of-lines";
import {
  foundFacts,
  type Import,
  type Imported,
  judgeWithin,
  resolveNobodysWithin,
  type Settlement,
  storeWithin,
} from "./import-lines";
import { readSettlement } from "./read-settlement";

/** The file's row in a further cell. */
interface FileElsewhere {
  readonly cell: string;
  readonly id: string;
}

/** What an import has done in all cells. The file's row and time are those of the first one. */
export interface Reconciliation extends Imported {
  readonly feesBooked: number;
  /** Lines that were booked to the bank account. */
  readonly linesBanked: number;
  readonly elsewhere: readonly FileElsewhere[];
  /** Cells that did not answer: what concerns their merchants is done by importing the file again. */
  readonly failedCells: readonly string[];
}

interface Done {
  readonly cell: Cell;
  readonly imported: Imported;
}

/**
 * Imports a settlement file. Importing it again, or another that repeats its lines, books and opens nothing twice; what
 * has fallen into place since is matched then, and its exception resolved. Throws validation_failed for a provider that
 * is not configured, for a faulty file (nothing is stored then) and for bounds that make no time.
 */
export async function reconcile(operators: Settlement): Promise<Reconciliation> {
  if (!gatewayByName(operators.provider)) throw validationError("provider", "is not configured");
  const file = readSettlement(operators.bytes);
  const settlement = { ...operators, merchantId: null, uploadedBy: null };
  const cells = await cellsOfLines(settlement, file);
  const failed = new Set<string>();
  const imports = new Map<string, Imported>();
  const [first, ...further] = allCells();
  // The first cell is the last one: a bank line that is judged without some lines of its file would never settle those.
  for (const cell of [...further, first]) {
    if (cells.wasAway(cell)) {
      failed.add(cell.name);
      continue;
    }
    const isWhole = file.every((line) => !failed.has(cells.cellOf(line).name));
    const lines = file.filter((line) => cells.cellOf(line).name === cell.name && (isWhole || !isBankLine(line)));
    const imported = await orFailed(cell, failed, () => importWithin(settlement, file, lines, cells));
    if (imported) imports.set(cell.name, imported);
  }
  const done = allCells().flatMap((cell): Done[] => {
    const imported = imports.get(cell.name);
    return imported ? [{ cell, imported }] : [];
  });
  const settled = new Set(done.flatMap(({ imported }) => [...imported.banked]));
  const banked = bankedLines(
    done.flatMap(({ imported }) => imported.lines),
    settled,
  );
  let [exceptionsResolved, feesBooked, linesBanked] = [0, 0, 0];
  for (const { cell, imported } of done) {
    await orFailed(cell, failed, async () => {
      const elsewhere = done.filter((other) => other.cell !== cell).flatMap((other) => other.imported.lines);
      exceptionsResolved += await resolveNobodys(settlement, foundFacts(settlement.provider, elsewhere));
      // Charges lock balances that payments wait for, so each is a commit of its own; an import that dies is done again.
      feesBooked += await bookFees(settlement, imported.lines);
      const own = banked.filter(({ line }) => cells.cellOf(line).name === cell.name);
      linesBanked += await bookBankLines(settlement, own);
    });
  }
  const all = joined(done);
  exceptionsResolved += all.exceptionsResolved;
  return { ...all, exceptionsResolved, feesBooked, linesBanked, failedCells: [...failed] };
}

/** Does a cell's part. A further cell that does not answer is noted; the first one's failure ends the import. */
async function orFailed<Result>(
  cell: Cell,
  failed: Set<string>,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await inCell(cell, work);
  } catch (error) {
    if (cell.tag === "" || asServiceError(error)?.code !== "service_unavailable") throw error;
    failed.add(cell.name);
    return undefined;
  }
}

function importWithin(
  settlement: Import,
  file: readonly SettlementLine[],
  lines: SettlementLine[],
  { requireSame, knownElsewhere }: CellsOfLines,
): Promise<Imported> {
  const act = operatorAct();
  return importAlone(settlement, async (transaction) => {
    requireSame(currentCell(), await holdMerchantFences(transaction));
    const judged = await judgeWithin(transaction, settlement, file, lines, knownElsewhere);
    return storeWithin(transaction, settlement, judged, act);
  });
}

async function resolveNobodys(settlement: Import, settledElsewhere: readonly string[]): Promise<number> {
  if (settledElsewhere.length === 0) return 0;
  return importAlone(settlement, (transaction) =>
    resolveNobodysWithin(transaction, settlement, settledElsewhere, operatorAct()),
  );
}

function joined(done: readonly Done[]): Imported & Pick<Reconciliation, "elsewhere"> {
  const [first, ...further] = done;
  if (!first) throw temporarilyUnavailable();
  const all = done.map(({ imported }) => imported);
  const sum = (member: "exceptionsOpened" | "exceptionsResolved") => all.reduce((total, one) => total + one[member], 0);
  return {
    ...first.imported,
    lines: all.flatMap(({ lines }) => lines).sort((a, b) => a.line.row - b.line.row),
    unsettled: all.flatMap(({ unsettled }) => unsettled),
    exceptionsOpened: sum("exceptionsOpened"),
    exceptionsResolved: sum("exceptionsResolved"),
    elsewhere: further.map(({ cell, imported }) => ({ cell: cell.name, id: imported.file.id })),
  };
}
