// CELLS: the further databases of an installation, each with merchants of its own (docs/decisions/0079).
import { z } from "zod";
import { parseJsonSetting } from "./json-setting";
import { parseUrl } from "./url";

/** A database with the whole schema. Each merchant's rows are in exactly one. */
export interface Cell {
  /** Never changes. */
  readonly name: string;
  /** Two characters in the keys and ids that the cell makes; empty for the first cell. Never changes. */
  readonly tag: string;
  /** Null only for the first cell, until `provideRuntime` supplies the embedded Postgres. */
  readonly databaseUrl: string | null;
  /** Address of Postgres without a pooler, for migrations; null if `databaseUrl` serves. */
  readonly databaseDirectUrl: string | null;
  /** Address of a streaming replica, which reports read; null if they read the database itself. */
  readonly reportDatabaseUrl: string | null;
}

/** The cell that DATABASE_URL or the embedded Postgres is. */
export const FIRST_CELL = "main";

/** At least the first cell. */
export type Cells = readonly [Cell, ...Cell[]];

const isPostgres = (text: string): boolean => /^postgres(?:ql)?:$/.test(parseUrl(text)?.protocol ?? "");
const postgres = z
  .string()
  .refine(isPostgres, "must be a Postgres address such as postgres://user:password@host:5432/sluice");

const entry = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, "must have 1 to 32 lower-case letters, digits and hyphens, a letter first")
    .refine((name) => name !== FIRST_CELL, `must not be ${FIRST_CELL}, the cell of DATABASE_URL`),
  tag: z
    .string()
    .regex(/^[0-9abcdefghjkmnpqrstvwxyz]{2}$/, "must be two lower-case letters or digits, without i, l, o, u"),
  url: postgres,
  direct_url: postgres.optional(),
  report_url: postgres.optional(),
});

/** Names, tags and addresses that two cells have in common. */
function repetitions(cells: Cells): string[] {
  return (["name", "tag", "databaseUrl"] as const).flatMap((member) => {
    const values = cells.map((cell) => cell[member]);
    const shown = member === "databaseUrl" ? "url" : member;
    return values.flatMap((value, at) =>
      values.indexOf(value) < at ? [`CELLS[${at - 1}].${shown} is that of another cell`] : [],
    );
  });
}

/** The addresses of the further cells, by their place in CELLS. */
export function addressesOf([, ...further]: Cells): Readonly<Record<string, string | null>> {
  const places = further.flatMap(({ databaseUrl, databaseDirectUrl, reportDatabaseUrl }, at) => [
    [`CELLS[${at}].url`, databaseUrl],
    [`CELLS[${at}].direct_url`, databaseDirectUrl],
    [`CELLS[${at}].report_url`, reportDatabaseUrl],
  ]);
  return Object.fromEntries(places) as Record<string, string | null>;
}

/** Returns the cells that a variable names, separated by commas (null for all), and its faults. */
export function namedCells(
  variable: string,
  names: string | null,
  cells: Cells,
): { readonly cells: readonly Cell[]; readonly faults: readonly string[] } {
  const named = names?.split(",").map((name) => name.trim());
  const unknown = named?.filter((name) => !cells.some((cell) => cell.name === name)) ?? [];
  const faults = unknown.map(
    (name) => `${variable} names "${name}", which is no cell: ${FIRST_CELL} or a name in CELLS`,
  );
  return { cells: cells.filter(({ name }) => named?.includes(name) ?? true), faults };
}

/** Returns the first cell and those of CELLS (JSON, or the path of a JSON file; null for none), and the faults of the latter. */
export function cellsSetting(
  first: Omit<Cell, "name" | "tag">,
  source: string | null,
): { readonly cells: Cells; readonly faults: readonly string[] } {
  const { value, faults } = parseJsonSetting("CELLS", source, z.array(entry));
  const further = (value ?? []).map(
    ({ name, tag, url, direct_url = null, report_url = null }): Cell => ({
      name,
      tag,
      databaseUrl: url,
      databaseDirectUrl: direct_url,
      reportDatabaseUrl: report_url,
    }),
  );
  const cells: Cells = [{ name: FIRST_CELL, tag: "", ...first }, ...further];
  const all = [...faults, ...repetitions(cells)];
  if (source !== null && first.databaseUrl === null) all.push("CELLS is set without DATABASE_URL: set both");
  return { cells, faults: all };
}
