// Checks the invariants in one read-only snapshot, so that a busy database is read as of one instant.
import { acrossMerchants } from "@/server/platform/reach";
import { inSnapshot } from "../client";
import type { Invariant } from "./invariant";
import { INVARIANTS } from "./list";

/** Maximum shown rows per invariant; all are counted. */
const SHOWN = 20;

/** The result of one invariant. */
export interface InvariantCheck extends Pick<Invariant, "name" | "guarantee"> {
  /** Number of rows that break it. */
  readonly rows: number;
  /** False if no rows exist that could break it. */
  readonly populated: boolean;
  /** The first of these rows; every value as text, so that amounts of any length stay exact. */
  readonly violations: readonly Readonly<Record<string, string | null>>[];
}

/** Runs one statement of the check and returns its rows. */
export type Read = <Row>(sql: string) => Promise<Row[]>;

function statementOf({ sql, needs }: Invariant): string {
  return `
    WITH found AS MATERIALIZED (${sql}),
    shown AS (SELECT * FROM found LIMIT ${SHOWN})
    SELECT (SELECT count(*)::int FROM found) AS rows,
           (${needs.map((need) => `EXISTS (SELECT FROM ${need})`).join(" AND ")}) AS populated,
           coalesce((SELECT json_agg((SELECT json_object_agg(key, value) FROM json_each_text(row_to_json(shown))))
                     FROM shown), '[]') AS violations`;
}

/** Checks every invariant with `read`, one after the other. */
export async function checkThrough(read: Read): Promise<InvariantCheck[]> {
  const checked: InvariantCheck[] = [];
  for (const invariant of INVARIANTS) {
    const [result] = await read<Omit<InvariantCheck, "name" | "guarantee">>(statementOf(invariant));
    if (!result) throw new Error(`the check of ${invariant.name} gave no row`);
    checked.push({ name: invariant.name, guarantee: invariant.guarantee, ...result });
  }
  return checked;
}

/** Checks every invariant on one snapshot. Writes nothing, locks no row and waits for no lock. */
export function checkInvariantsAcrossMerchants(): Promise<InvariantCheck[]> {
  return acrossMerchants(() => inSnapshot(({ query }) => checkThrough(query)));
}
