// The environment of the bench of moves: a service over two cells, a neighbor in each, and merchants that move.
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "@/e2e/rest/database";
import { basicAuthorization } from "@/e2e/support/api";
import { cliWith } from "@/e2e/support/cli";
import { createMerchant } from "@/e2e/support/merchant";
import { startOperator } from "@/e2e/support/operator";
import { startService } from "@/e2e/support/service";
import type { Variables } from "@/e2e/support/service-process";
import { creation } from "../cases/creates";
import { type CellServer, nameOf, untilAllServed, urlOf, variablesOf, withCellServer } from "../cells/databases";
import { sendPaced } from "../paced";
import type { Party } from "../stage";

export const CELLS = [0, 1].map(nameOf);
/** Less than what the service can create, so that none waits. */
const FILL_PER_SECOND = 400;
const RETRY_MS = 200;
/** The code of creates is compiled by then, and the planner has statistics about the neighbors. */
const NEIGHBOR_PAYMENTS = 2_000;
const SETTLED_WITHIN_MS = 600_000;
const POLL_MS = 500;

export interface Scene {
  readonly baseUrl: string;
  /** Of each cell. */
  readonly databases: readonly [Database, Database];
  /** A merchant of each cell that stays there. */
  readonly neighbors: readonly Party[];
  /** Adds a merchant of the first cell and lets it create so many payments. */
  addMover(payments: number): Promise<Party>;
  /** Waits until the worker has done all that follows creates, and tidies up both databases. */
  settle(): Promise<void>;
  /** Returns the number of rows that break an invariant, in both cells. */
  countViolations(): Promise<number>;
  /** Runs an operator's command and returns its document. Throws if it fails. */
  run<Document>(...words: readonly string[]): Promise<Document>;
}

/** Lets a merchant create so many payments. */
async function fill(baseUrl: string, { authorization }: Party, payments: number): Promise<void> {
  await sendPaced({
    baseUrl,
    perSecond: FILL_PER_SECOND,
    seconds: payments / FILL_PER_SECOND,
    next: () => ({ ...creation(), authorization }),
    retryAfterMs: RETRY_MS,
  });
}

async function untilLinked({ query }: Database): Promise<void> {
  for (const end = performance.now() + SETTLED_WITHIN_MS; performance.now() < end; await sleep(POLL_MS)) {
    const [row] = await query<{ waits: boolean }>("SELECT EXISTS (SELECT FROM audit_pending) AS waits");
    if (!row?.waits) return;
  }
  throw new Error("the worker does not link the audit entries");
}

async function settle(databases: readonly Database[]): Promise<void> {
  for (const database of databases) {
    await untilLinked(database);
    await database.query("VACUUM ANALYZE");
    await database.query("CHECKPOINT");
  }
}

interface Checked {
  readonly cells: readonly { readonly violations: number; readonly checked: readonly { readonly rows: number }[] }[];
  readonly failed_cells?: readonly object[];
}

async function countViolations(variables: Variables): Promise<number> {
  const { cells, failed_cells: failed } = await cliWith<Checked>(variables, "invariants");
  if (failed) throw new Error(`the invariants were not checked: ${JSON.stringify(failed)}`);
  for (const { checked } of cells)
    for (const broken of checked) if (broken.rows > 0) process.stderr.write(`${JSON.stringify(broken)}\n`);
  return cells.reduce((sum, { violations }) => sum + violations, 0);
}

async function openDatabases(world: CellServer, dataDir: string): Promise<Scene["databases"]> {
  return [await openDatabase(dataDir, urlOf(world, 0)), await openDatabase(dataDir, urlOf(world, 1))];
}

async function inScene<Result>(world: CellServer, work: (scene: Scene) => Promise<Result>): Promise<Result> {
  const variables = await variablesOf(world, CELLS.length);
  const service = await startService({ database: variables });
  const { baseUrl, dataDir } = service;
  const open: { close(): Promise<void> }[] = [{ close: () => service.dispose() }];
  try {
    await untilAllServed(service);
    const address = { baseUrl, dataDir, database: variables };
    // One process for all commands: its start would take seconds of the CPU that the neighbors share here.
    const operator = await startOperator(address);
    const operated = { ...address, operator };
    open.push(operator);
    const databases = await openDatabases(world, dataDir);
    open.push(...databases);
    const addMerchant = async (name: string, cell: string, payments: number): Promise<Party> => {
      const { id, keys } = await createMerchant(operated, { name, cell });
      const party = { id, authorization: basicAuthorization(keys.test) };
      await fill(baseUrl, party, payments);
      return party;
    };
    const neighbors: Party[] = [];
    for (const cell of CELLS) neighbors.push(await addMerchant("Bench neighbor", cell, NEIGHBOR_PAYMENTS));
    return await work({
      baseUrl,
      databases,
      neighbors,
      addMover: (payments) => addMerchant("Bench mover", nameOf(0), payments),
      settle: () => settle(databases),
      countViolations: () => countViolations({ DATA_DIR: dataDir, ...variables }),
      run: (...words) => operator.run(...words),
    });
  } finally {
    for (const one of open.toReversed()) await one.close();
  }
}

/** Starts everything for the work, and ends it afterwards. */
export function withScene<Result>(work: (scene: Scene) => Promise<Result>): Promise<Result> {
  return withCellServer((world) => inScene(world, work));
}
