// Invariants of the rules that database triggers and constraints enforce.
import type { Invariant } from "./invariant";
import { literal } from "./relations";
import { TRIGGERS } from "./triggers";

const EXPECTED = Object.entries(TRIGGERS)
  .flatMap(([table, names]) => names.map((name) => `(${literal(table)}, ${literal(name)})`))
  .join(", ");

export const GUARD_INVARIANTS: readonly Invariant[] = [
  {
    name: "triggers_are_on",
    guarantee:
      "Every database trigger of the migrations exists, and none is disabled, including those of foreign keys.",
    sql: `
      SELECT coalesce(e.of_table, g.of_table) AS of_table, coalesce(e.name, g.name) AS trigger, g.enabled
      FROM (VALUES ${EXPECTED}) AS e(of_table, name)
      FULL JOIN (
        SELECT c.relname::text AS of_table, t.tgname::text AS name, t.tgenabled::text AS enabled
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = 'public'::regnamespace) g USING (of_table, name)
      WHERE g.enabled IS NULL OR g.enabled NOT IN ('O', 'A')`,
    needs: ["merchant"],
  },
];
