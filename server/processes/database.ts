import { setTimeout as sleep } from "node:timers/promises";
import { claimCell } from "@/server/db/cell-identity";
import { disconnect, whilePreparing } from "@/server/db/client";
import { checkDirectAddress, checkPooler, checkRole, checkSettings } from "@/server/db/connection-check";
import { migrate } from "@/server/db/migrate";
import { checkReportDatabase } from "@/server/db/report-age";
import { allCells, type Cell, currentCell, inCell } from "@/server/platform/cell";
import { ConfigurationError, env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { openRuntime } from "@/server/platform/runtime";
import { flushApiLog } from "@/server/services/api-logs/record";
import { settleStaysAtStart } from "@/server/services/cells/settle-stays";
import { prepareDispatch } from "@/server/services/dispatch/control";
import { prepareReferences } from "@/server/services/dispatch-references/prepare";
import { requireProviderAccounts } from "@/server/services/providers/accounts";
import type { Shutdown } from "./shutdown";

/** How long the start waits for further cells. The others are served without one that takes longer. */
const FURTHER_CELLS_WITHIN_MS = 10_000;
const RETRY_PAUSE_MS = 5_000;

/** Checks the addresses of the cell's database before anything is written, and migrates it. Throws ConfigurationError. */
async function migrateDatabase(): Promise<void> {
  const { databaseUrl, databaseDirectUrl } = currentCell();
  await checkPooler(databaseUrl ?? "", env().databaseStatements);
  await whilePreparing(async () => {
    await checkSettings();
    if (databaseDirectUrl !== null) await checkDirectAddress(databaseDirectUrl);
  });
  const { applied } = await migrate(databaseDirectUrl ?? databaseUrl ?? "");
  if (applied.length > 0) log().info({ applied, cell: currentCell().name }, "the database was migrated");
}

/** A replica that is away delays reports, not the service. Throws ConfigurationError for another database. */
async function checkReports(): Promise<void> {
  try {
    await checkReportDatabase();
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    log().warn({ err: error }, "REPORT_DATABASE_URL does not answer as a replica: reports fail until it does");
  }
}

/** Migrates the cell and prepares what every process reads from it; returns the id that all cells share. Throws ConfigurationError. */
async function prepareCell(cellsId: string | null): Promise<string | null> {
  await migrateDatabase();
  const id = await whilePreparing(() => claimCell(cellsId));
  await checkRole();
  await prepareReferences();
  await prepareDispatch();
  await checkReports();
  await requireProviderAccounts();
  return id;
}

/** Tries until the cell is prepared or `signal` aborts. Until then its merchants get 503. */
async function prepareLater(cell: Cell, cellsId: string | null, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(RETRY_PAUSE_MS, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    try {
      await inCell(cell, () => prepareCell(cellsId));
      log().info({ cell: cell.name }, "the cell is prepared, and its merchants are served");
      return;
    } catch (error) {
      log().error({ err: error, cell: cell.name }, "a cell could not be prepared; its merchants are not served");
    }
  }
}

/**
 * Prepares a further cell. Returns after a while even if it does not answer; then it is prepared once it does. Throws
 * ConfigurationError if that shows meanwhile.
 */
async function prepareFurther(cell: Cell, cellsId: string | null, signal: AbortSignal): Promise<void> {
  const timer = new AbortController();
  const late = sleep(FURTHER_CELLS_WITHIN_MS, "late" as const, { signal: timer.signal }).catch(() => "late" as const);
  const prepared = inCell(cell, () => prepareCell(cellsId));
  try {
    if ((await Promise.race([prepared, late])) !== "late") return;
    log().warn({ cell: cell.name }, "a cell takes long to prepare; the others are served meanwhile");
    prepared.catch((error: unknown) => {
      log().error({ err: error, cell: cell.name }, "a cell could not be prepared; its merchants are not served");
      return prepareLater(cell, cellsId, signal);
    });
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    log().error({ err: error, cell: cell.name }, "a cell could not be prepared; its merchants are not served");
    void prepareLater(cell, cellsId, signal);
  } finally {
    timer.abort();
  }
}

/**
 * Prepares all cells, and closes merchants that a restored one has although they have moved. The service needs the first cell; it
 * serves the others as they answer. Throws ConfigurationError.
 */
export async function prepareCells(signal: AbortSignal): Promise<void> {
  const [first, ...further] = allCells();
  const cellsId = await inCell(first, () => prepareCell(null));
  await Promise.all(further.map((cell) => prepareFurther(cell, cellsId, signal)));
  await settleStaysAtStart();
}

/**
 * Connects to the operator's databases or starts the embedded one, migrates them, and prepares what every process reads from
 * them. An embedded Postgres that crashes ends the service with exit code 1. Throws ConfigurationError.
 */
export async function startDatabase(shutdown: Shutdown): Promise<{ readonly isEmbedded: boolean }> {
  const { embedded, close } = await openRuntime("service");
  const ending = new AbortController();
  shutdown.before(close, disconnect, flushApiLog, async () => ending.abort());
  embedded?.onCrash((stderrTail) => {
    process.stderr.write(
      `The embedded Postgres ended unexpectedly, so the service stops. Its last output:\n${stderrTail}\n`,
    );
    void shutdown.end(1);
  });
  await prepareCells(ending.signal);
  return { isEmbedded: embedded !== null };
}
