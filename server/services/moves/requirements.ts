// What a move needs of the cells, and of the merchant. Each refusal says what to do.
import { isRoleRestrictedAcrossMerchants } from "@/server/db/connection-check";
import { readConditions } from "@/server/db/moves/conditions";
import { type Owner, openOwner } from "@/server/db/moves/owner";
import type { MoveRecord } from "@/server/db/moves/record";
import { differingTables, findUnknownTables, type MovedTable, readMovedTables } from "@/server/db/moves/shape";
import { ServiceError, validationError } from "@/server/domain/errors";
import { allCells, type Cell, inOtherCell } from "@/server/platform/cell";
import { asServiceError } from "@/server/services/outage";

/** The configured cell of a name. Throws validation_failed. */
export function requireCell(option: string, name: string): Cell {
  const cell = allCells().find((one) => one.name === name);
  if (!cell)
    throw validationError(
      option,
      `must be one of ${allCells()
        .map((one) => one.name)
        .join(", ")}`,
    );
  return cell;
}

/** Connects to a cell as its owner. Throws service_unavailable if it is away, and validation_failed behind a pooler. */
export async function openCell(cell: Cell): Promise<Owner> {
  try {
    const owner = await openOwner(cell);
    if (owner.isDirect) return owner;
    await owner.end();
  } catch (error) {
    if (!asServiceError(error)) throw error;
    throw new ServiceError("service_unavailable", `The cell ${cell.name} does not answer.`, 1);
  }
  const variable = cell.tag === "" ? "DATABASE_DIRECT_URL" : "direct_url in CELLS";
  throw validationError(cell.name, `is reached through a pooler: set ${variable} to the address of Postgres itself`);
}

/** Throws validation_failed if the cell cannot take part in a move. */
async function requireUsable(owner: Owner): Promise<void> {
  const { name } = owner.cell;
  const found = await readConditions(owner);
  if (found.cell !== name)
    throw validationError(name, `leads to a database that is the cell ${found.cell ?? "of nobody"}`);
  if (!found.isMigrated) throw validationError(name, "lacks migrations of this release: restart the service first");
  if (!found.maySetReplicationRole)
    throw validationError(
      name,
      "has a user who may not switch triggers off for a copy: run GRANT SET ON PARAMETER session_replication_role there",
    );
  if (!found.seesAllSessions)
    throw validationError(
      name,
      "has a user who does not see the transactions of others, which a move waits for: run GRANT pg_read_all_stats TO that user there",
    );
  if (found.allowsPrepared)
    throw validationError(
      name,
      "allows prepared transactions, which no move can wait for: set max_prepared_transactions to 0 and restart Postgres",
    );
  if (found.unfencedSessions > 0)
    throw validationError(
      name,
      `has ${found.unfencedSessions} sessions from before this release, whose work no fence stops: restart all processes first`,
    );
  if (!(await inOtherCell(owner.cell, isRoleRestrictedAcrossMerchants)))
    throw validationError(
      name,
      "has row-level security switched off, so a fence would not hide the copy: see docs/operating.md",
    );
}

/** Throws validation_failed if a later release has migrated the cell, maybe while a move was under way: see `findUnknownTables`. */
export async function requireKnownTables(owner: Owner): Promise<void> {
  const [unknown] = await findUnknownTables(owner);
  if (unknown)
    throw validationError(owner.cell.name, `has a table ${unknown} of a later release: run that release's command`);
}

/** Returns the tables that move. Throws validation_failed if the cells cannot exchange them. */
export async function requireMovable(from: Owner, to: Owner): Promise<readonly MovedTable[]> {
  for (const owner of [from, to]) {
    await requireUsable(owner);
    await requireKnownTables(owner);
  }
  const [ours, theirs] = await Promise.all([readMovedTables(from), readMovedTables(to)]);
  const [differing] = differingTables(ours, theirs);
  if (differing) throw validationError(differing, `has other columns in ${from.cell.name} than in ${to.cell.name}`);
  return ours;
}

/**
 * Throws service_unavailable if a cell was migrated since the tables were read: a new column may have other values in each of them,
 * which no trigger has noted. The command then compares all rows when it runs again.
 */
export async function requireSameShapes(owners: readonly Owner[], tables: readonly MovedTable[]): Promise<void> {
  const shapes = await Promise.all(owners.map(readMovedTables));
  const at = shapes.findIndex((present) => differingTables(tables, present).length > 0);
  if (at < 0) return;
  throw new ServiceError(
    "service_unavailable",
    `${owners[at]?.cell.name} was migrated meanwhile. Run the command again.`,
  );
}

/** Throws validation_failed unless an open move leads to that cell and is not being aborted. */
export function requireSameMove({ toCell, phase }: MoveRecord, to: string): void {
  if (phase === "aborting")
    throw validationError("the merchant", "has a move that is being aborted: run with --abort again");
  if (toCell !== to)
    throw validationError("to", `must be ${toCell}, where an open move of the merchant leads; or --abort that`);
}
