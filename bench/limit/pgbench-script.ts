// The limit's statements as pgbench scripts, with the values written into them.
import { listStatement, readStatement } from "../peer/payments";
import { announcing, answering, asOne, freshPayment, type Sample, type Statement, type Value } from "../peer/rows";
import { seededId } from "../seed";
import type { LimitTask } from "./task";

/** Marks a value that differs between transactions. */
const COMPUTED = "\u0000";

/** As long as the others' ids, and increasing with time. The client makes it unique, the ordinal within a payment. */
export function computedId(prefix: string, ordinal: number): string {
  const counted = "lpad(to_hex(:n::bigint), 14, '0')";
  // Within quotes, pgbench takes a colon before a letter for a variable.
  const quoted = prefix.includes(":") ? `E'${prefix.replaceAll(":", "\\x3A")}_'` : `'${prefix}_'`;
  return `${COMPUTED}(${quoted} || ${counted} || lpad(:client_id::text, 4, '0') || '${String(ordinal).padStart(8, "0")}')`;
}

/** An increasing number. The client makes it unique, the ordinal, up to 9, within a payment. */
export function computedNumber(ordinal: number): string {
  return `${COMPUTED}(:n::bigint * 1000 + :client_id::int * 10 + ${ordinal})`;
}

function literal(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.startsWith(COMPUTED)) return text.slice(1);
  // pgbench takes a colon before a letter for a variable, even within quotes.
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll(":", "\\x3A")}'`;
}

function withValues({ text, values }: Statement): string {
  return text.replace(/\$(\d+)/g, (_, n: string) => literal(values[Number(n) - 1] ?? null));
}

/** Lines of a script that run the statements. */
export function commands(statements: readonly Statement[]): string[] {
  return statements.map((statement) => `${withValues(statement)};`);
}

function creation(sample: Sample, isOne: boolean): string[] {
  const rows = freshPayment(sample, computedId);
  const commits = [announcing(rows), answering(rows)];
  const lines = commits.flatMap((commit) =>
    isOne ? commands([asOne(commit)]) : ["BEGIN;", ...commands(commit), "COMMIT;"],
  );
  return ["\\set n :n + 1", ...lines];
}

/** The script of one transaction: one create, one read, or one page. */
export function pgbenchScript({ work, merchantId, ids, deep }: LimitTask, sample: Sample): string {
  if (work === "statements" || work === "cte") return `${creation(sample, work === "cte").join("\n")}\n`;
  if (work === "read") {
    const id = `${COMPUTED}(${seededId(":n::int")})`;
    return `\\set n random(1, ${ids.length})\n${commands([readStatement(merchantId, id)]).join("\n")}\n`;
  }
  return `${commands([listStatement(merchantId, work === "deep" ? deep : null)]).join("\n")}\n`;
}
