// The exceptions of states that last: opened once while unresolved, and again when the state outlasts its resolution.
import { newId } from "@/server/platform/ids";
import { query } from "./client";
import type { Opening } from "./exceptions";

type IntentTable = "payment_intent" | "payout_intent" | "topup_intent";

/** Opens an exception where `subject` has a row. */
const openStanding = (subject: string) => `
  WITH subject AS (${subject}),
  known AS (
    SELECT count(*) AS times, count(*) FILTER (WHERE resolved_at IS NULL) AS unresolved,
           max(greatest(opened_at, resolved_at)) AS last_at
    FROM exception
    WHERE merchant_id = $1 AND environment = $3 AND object_id = $5 AND kind = $4
      AND ((starts_with(fact, $6 || ':') AND substr(fact, length($6) + 2) ~ '^[0-9]+$') OR fact = $4 || ':' || $5)
  ),
  opened AS (
    INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
    SELECT $1, $2, $3, $4, $5, $6 || ':' || (known.times + 1), $7::jsonb, $8::timestamptz
    FROM subject, known
    WHERE known.unresolved = 0 AND (known.last_at IS NULL OR known.last_at <= $8::timestamptz - interval '1 day')
    ON CONFLICT (merchant_id, environment, fact) DO NOTHING
    RETURNING id
  )
  SELECT EXISTS (SELECT FROM subject) AS is_current, EXISTS (SELECT FROM opened) AS is_opened`;

const OPEN = openStanding("SELECT 1");

/** The lock makes a change of the intent wait: it then finds the exception, or this finds the change. */
const openAbout = (table: IntentTable) =>
  openStanding(`SELECT FROM ${table} WHERE merchant_id = $1 AND id = $5 AND revision = $9 FOR SHARE`);

interface Row {
  readonly is_current: boolean;
  readonly is_opened: boolean;
}

function valuesOf({ scope, kind, objectId, fact, detail }: Opening, at: Date): unknown[] {
  const { merchantId, environment } = scope;
  return [merchantId, newId("exception"), environment, kind, objectId, fact, JSON.stringify(detail), at];
}

/**
 * Opens the exception of a state that lasts, unless one is open or was resolved less than a day before `at`; false then.
 * Each opening has a fact of its own: the given one with a count. A fact of `kind:object` is an older release's, which
 * named no reason and counts for all of them.
 */
export async function openStandingException(opening: Opening, at: Date): Promise<boolean> {
  const [row] = await query<Row>(OPEN, ...valuesOf(opening, at));
  return row?.is_opened ?? false;
}

/** moved: the intent has another revision by now. known: the exception is open, or was resolved less than a day ago. */
export type OpeningVerdict = "opened" | "known" | "moved";

/** The same about an intent, of that revision only. */
export async function openStandingExceptionAbout(
  table: IntentTable,
  revision: number,
  opening: Opening,
  at: Date,
): Promise<OpeningVerdict> {
  const [row] = await query<Row>(openAbout(table), ...valuesOf(opening, at), revision);
  if (!row?.is_current) return "moved";
  return row.is_opened ? "opened" : "known";
}

/** Whether a report has ever contradicted the intent, also where people have resolved that since. */
export async function isContradicted({ merchantId, id }: { merchantId: string; id: string }): Promise<boolean> {
  const [row] = await query<{ found: boolean }>("SELECT is_contradicted($1, $2) AS found", merchantId, id);
  return row?.found ?? false;
}
