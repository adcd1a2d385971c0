// Three cells for tests, each of which can be restored from a backup, and the commands that move merchants between them.
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, inject, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { claimCell } from "@/server/db/cell-identity";
import { disconnect, whilePreparing } from "@/server/db/client";
import { createCellBackups } from "@/server/db/testing/cell-backups";
import { asOwnerOf } from "@/server/db/testing/move-by-hand";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { addressOf, createDatabase, dropDatabase, nameOf } from "@/server/testing/databases";
import { makeLiveMerchant, makeMerchant, payment } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { withoutIdempotency } from "../../idempotency/completion";
import { createPaymentIntent } from "../../payments/create";
import { simulate } from "../../sandbox/simulate";
import { killMover } from "./killed-mover";

const OTHERS = [SECOND_CELL, { name: "eu3", tag: "e3" }];

export const main = () => allCells()[0];
export const eu2 = () => allCells()[1] as Cell;
export const eu3 = () => allCells()[2] as Cell;

export interface ThreeCells {
  /** The addresses of the cells' own databases, in the order of the cells. */
  readonly own: readonly string[];
  /** Points the cells to databases; those that are null or missing to their own. */
  pointTo(urls?: readonly (string | null)[]): Promise<void>;
  /** Copies a cell's database as it is now; returns the copy's address. */
  backUp(cell: Cell): Promise<string>;
  /** Drops the copies and the further databases, and forgets the cells. */
  end(): Promise<void>;
}

/** The cells of a test file. */
interface TestCells extends Omit<ThreeCells, "end"> {
  /** What a test does with each line that commands say; nothing at its beginning. */
  onLine: (line: string) => unknown;
}

/**
 * Three cells for the tests of a file, opened before the first and closed after the last. Each begins with the cells' own databases.
 * Its bounds are for what hangs: a test makes copies of whole databases.
 */
export function threeCells(): TestCells {
  vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });
  let opened: ThreeCells | null = null;
  const cells = (): ThreeCells => {
    if (!opened) throw new Error("the cells are opened before the tests");
    return opened;
  };
  const test: TestCells = {
    get own() {
      return cells().own;
    },
    pointTo: (urls) => cells().pointTo(urls),
    backUp: (cell) => cells().backUp(cell),
    onLine: () => undefined,
  };
  beforeAll(async () => {
    reachEveryMerchant();
    catchStandardError((line) => test.onLine(line));
    opened = await openThreeCells();
  });
  afterEach(() => {
    test.onLine = () => undefined;
    return cells().pointTo();
  });
  afterAll(() => cells().end());
  return test;
}

/** Configures a database, by default the file's own, and two new ones, migrated, as three cells, and makes them that. */
export async function openThreeCells(firstUrl = process.env.DATABASE_URL ?? ""): Promise<ThreeCells> {
  const template = inject("databaseTemplate");
  const server = addressOf(template, "postgres");
  const make = () => createDatabase(server, `sluice_test_${randomBytes(6).toString("hex")}`, nameOf(template));
  const own = [firstUrl, await make(), await make()];
  const backups = createCellBackups();
  const pointTo = async (urls: readonly (string | null)[] = []) => {
    await disconnect();
    const [first = "", ...further] = own.map((url, at) => urls[at] ?? url);
    process.env.DATABASE_URL = first;
    configureCells(OTHERS.map((cell, at) => ({ ...cell, url: further[at] })));
    // Work that goes on beside may have connected to the old addresses meanwhile.
    await disconnect();
  };
  await pointTo();
  const cellsId = await inCell(main(), () => whilePreparing(() => claimCell(null)));
  for (const cell of [eu2(), eu3()]) await inCell(cell, () => whilePreparing(() => claimCell(cellsId)));
  return {
    own,
    pointTo,
    backUp: backups.take,
    async end() {
      await pointTo();
      await disconnect();
      configureCells(null);
      await backups.drop();
      for (const url of own.slice(1)) await dropDatabase(server, url);
    },
  };
}

/** Runs the command; gives what it prints, also an error. */
export const move = (merchantId: string, to: Cell) =>
  runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");

export const abort = (merchantId: string) => runCommand("merchants", "move", "--merchant", merchantId, "--abort");

/** Runs a statement as the owner of the cell's tables. */
export const sql = (cell: Cell, text: string, ...values: unknown[]) =>
  asOwnerOf(cell, async (client) => (await client.query(text, values)).rows as Record<string, unknown>[]);

/** Makes a live merchant, by default in the first cell; gives its id. */
export const makeOne = async (cell: Cell = main()) => (await inCell(cell, makeLiveMerchant)).merchantId;

/** Moves the merchant and kills the command at the first such statement, after its execution. */
export async function killedAt(statement: RegExp, merchantId: string, to: Cell): Promise<void> {
  const mover = killMover(statement, true);
  try {
    expect(await move(merchantId, to)).toMatchObject({ code: "service_unavailable" });
  } finally {
    mover.restore();
  }
}

/** A merchant with keys and a payment that was paid, so with entries in its ledger. */
export async function makePaid(cell: Cell = main()): Promise<string> {
  const merchant = await inCell(cell, () => makeMerchant());
  await inCell(cell, async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await simulate(merchant.context, intent.id, "succeeded");
  });
  return merchant.merchantId;
}
