// Which cell a database is, stored in the database itself: an address that leads to another one is found out.
import { randomUUID } from "node:crypto";
import { allCells, type Cell, currentCell, noteOneOfSeveral } from "@/server/platform/cell";
import { FIRST_CELL } from "@/server/platform/cells-setting";
import { ConfigurationError } from "@/server/platform/env";
import { queryAcrossMerchants } from "./client";

/** Null each for a database that was never one of several cells. */
interface Identity {
  readonly cell: string | null;
  readonly cell_tag: string | null;
  readonly cells_id: string | null;
}

const KNOWN = "SELECT cell, cell_tag, cells_id FROM installation";

/** A further cell begins empty: a database with merchants belongs to somebody, perhaps to another installation. */
const CLAIM = `
  INSERT INTO installation AS i (cell, cell_tag, cells_id)
  SELECT $1, $2, $3 WHERE $4 OR NOT EXISTS (SELECT FROM merchant)
  ON CONFLICT (single) DO UPDATE SET cell = excluded.cell, cell_tag = excluded.cell_tag, cells_id = excluded.cells_id
  WHERE i.cell IS NULL`;

function fault(cell: Cell, why: string): ConfigurationError {
  const variable = cell.name === FIRST_CELL ? "DATABASE_URL" : `CELLS: the url of ${cell.name}`;
  return new ConfigurationError([`${variable} leads to ${why}`]);
}

/**
 * Makes the database the running work's cell, unless it is already, and returns the id that all cells of the installation
 * share: `cellsId`, or the first cell's own, made once. Throws ConfigurationError for the database of another cell or
 * installation. With one cell it only checks, and notes if the database is one of several.
 */
export async function claimCell(cellsId: string | null): Promise<string | null> {
  const cell = currentCell();
  const isFirst = cell.name === FIRST_CELL;
  if (allCells().length > 1) await queryAcrossMerchants(CLAIM, cell.name, cell.tag, cellsId ?? randomUUID(), isFirst);
  const [found] = await queryAcrossMerchants<Identity>(KNOWN);
  if (!found || found.cell === null) {
    if (allCells().length === 1) return null;
    throw fault(cell, "a database that has merchants and is no cell: a further cell begins with an empty database");
  }
  if (allCells().length === 1) noteOneOfSeveral();
  if (found.cell !== cell.name) throw fault(cell, `the database of the cell ${found.cell}`);
  if (found.cell_tag !== cell.tag)
    throw new ConfigurationError([`CELLS: the tag of ${cell.name} is ${found.cell_tag}, and never changes`]);
  if (cellsId !== null && found.cells_id !== cellsId) throw fault(cell, "a cell of another installation");
  return found.cells_id;
}
