// Copies of cells' databases, which stand for backups in tests.
import { randomBytes } from "node:crypto";
import { inject, vi } from "vitest";
import type { Cell } from "@/server/platform/cell";
import { addressOf, createDatabase, dropDatabase, nameOf } from "@/server/testing/databases";
import { disconnect } from "../client";

export interface CellBackups {
  /** Copies the cell's database as it is now; returns the copy's address. This process disconnects from all databases. */
  take(cell: Cell): Promise<string>;
  /** Drops all copies. */
  drop(): Promise<void>;
}

export function createCellBackups(): CellBackups {
  const server = addressOf(inject("databaseTemplate"), "postgres");
  const copies: string[] = [];
  return {
    async take(cell) {
      const url = cell.databaseUrl ?? "";
      await disconnect();
      const name = `sluice_test_${randomBytes(6).toString("hex")}`;
      // Other sessions of the database may still be ending.
      await vi.waitFor(() => createDatabase(server, name, nameOf(url)), 30_000);
      copies.push(addressOf(server, name));
      return addressOf(url, name);
    },
    async drop() {
      for (const copy of copies) await dropDatabase(server, copy);
    },
  };
}
