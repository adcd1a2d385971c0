// A second cell for tests: another database of the test run's server.
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { claimCell } from "@/server/db/cell-identity";
import { whilePreparing } from "@/server/db/client";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { provideRuntime } from "@/server/platform/env";
import { addressOf, createDatabase, dropDatabase, nameOf } from "@/server/testing/databases";

export const SECOND_CELL = { name: "eu2", tag: "e2" };

export interface TwoCells {
  readonly first: Cell;
  readonly second: Cell;
  /** Drops the second database and forgets its cell. */
  end(): Promise<void>;
}

/** Configures the file's own database and a new one, migrated, as two cells, and makes them that. */
export async function openTwoCells(): Promise<TwoCells> {
  const template = inject("databaseTemplate");
  const server = addressOf(template, "postgres");
  const url = await createDatabase(server, `sluice_test_${randomBytes(6).toString("hex")}`, nameOf(template));
  configureCells([{ ...SECOND_CELL, url }]);
  const [first, second] = allCells();
  if (!second) throw new Error("the second cell is not configured");
  const cellsId = await inCell(first, () => whilePreparing(() => claimCell(null)));
  await inCell(second, () => whilePreparing(() => claimCell(cellsId)));
  return {
    first,
    second,
    async end() {
      configureCells(null);
      await dropDatabase(server, url);
    },
  };
}

/** Replaces CELLS; null for one cell. */
export function configureCells(cells: readonly object[] | null): void {
  if (cells) process.env.CELLS = JSON.stringify(cells);
  else delete process.env.CELLS;
  provideRuntime({ databaseUrl: process.env.DATABASE_URL ?? "" });
}
