// What a connection must find where there are several cells: the database of its cell, with every migration of this release.
// So no process works in another cell's database, or in one that is not prepared, whatever an address leads to.
import type { Cell } from "@/server/platform/cell";
import { newestMigration } from "./newest-migration";
import type { Admission } from "./reach-client";

const FOUND = `
  SELECT i.cell, EXISTS (
    SELECT FROM "_prisma_migrations" WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL
  ) AS is_migrated FROM installation i`;

/** A database without the table, or without the column. */
const NOT_MIGRATED: ReadonlySet<unknown> = new Set(["42P01", "42703"]);
/** Postgres's code for a server that cannot be used yet: the caller gets a 503, and retries. */
const CANNOT_CONNECT_NOW = "57P03";

let newest: Promise<string> | null = null;

function refusal(cell: Cell, why: string): Error {
  return Object.assign(new Error(`the database of the cell ${cell.name} ${why}`), { code: CANNOT_CONNECT_NOW });
}

/** Returns what each connection to the cell must find. */
export function admissionTo(cell: Cell): Admission {
  return async (ask) => {
    newest ??= newestMigration();
    const values = [await newest];
    const rows = await ask<{ cell: string | null; is_migrated: boolean }>({ text: FOUND, values }).catch(
      (error: { readonly code?: unknown }) => {
        if (NOT_MIGRATED.has(error.code)) return [];
        throw error;
      },
    );
    const [found] = rows;
    if (!found?.cell) throw refusal(cell, "is not prepared");
    if (found.cell !== cell.name) throw refusal(cell, `is that of the cell ${found.cell}`);
    if (!found.is_migrated) throw refusal(cell, "is not migrated");
  };
}
