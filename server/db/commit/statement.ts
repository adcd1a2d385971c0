// The one SQL statement that changes intents: cause (insert or guarded update), then every consequence, set-based.

import { allColumns, changingColumns, type RowMapping } from "../intents/row";
import { aheadOf } from "../merchant-time";
import { NOW_MS } from "../now-ms";

type AnyMapping = Pick<RowMapping<never, never>, "table" | "fixedColumns" | "changingColumns" | "numericColumns">;

/**
 * One element per unit of work; members that do not apply are null, and JSON null becomes SQL NULL. The row is read as
 * the table's own type here, at once: a function in FROM that makes it would copy the table's description, with all its
 * checks, for every unit.
 */
const units = (rowType: string) => `
unit AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS u(
    n int, merchant_id text, environment text, id text, at timestamptz, "row" ${rowType},
    from_status text, from_revision int, claim jsonb, seal jsonb, attempt jsonb, answer jsonb, approval jsonb,
    event jsonb, audit jsonb, transactions jsonb, entries jsonb, exceptions jsonb)
)`;

const CLAIM_COLUMNS = "(merchant_id, api_key_id, key, fingerprint, holder, object_id, created_at, lease_until)";
const claimValues = (from: string) => `
  SELECT merchant_id, claim->>'api_key_id', claim->>'key', claim->>'fingerprint', claim->>'holder', id,
         clock_timestamp() + ${aheadOf(from)}, clock_timestamp() + (claim->>'lease_seconds')::int * interval '1 second'
  FROM ${from} WHERE claim IS NOT NULL`;

/**
 * A new intent: claims the key first, then the merchant reference; a unit that loses either writes nothing more. The conflict
 * names no index: of two equal intents inserted at once, the derived dispatch reference may be what meets first.
 */
function creationCause(mapping: AnyMapping): string {
  const columns = allColumns(mapping);
  return `
claimed AS (
  INSERT INTO idempotency_key ${CLAIM_COLUMNS} ${claimValues("unit")}
  ON CONFLICT DO NOTHING
  RETURNING merchant_id, object_id
),
admitted AS (
  SELECT unit.* FROM unit
  LEFT JOIN claimed c ON c.merchant_id = unit.merchant_id AND c.object_id = unit.id
  WHERE unit.claim IS NULL OR c.object_id IS NOT NULL
),
changed AS (
  INSERT INTO ${mapping.table} (${columns.join(", ")})
  SELECT ${columns.map((column) => `(admitted."row").${column}`).join(", ")}
  FROM admitted
  ON CONFLICT DO NOTHING
  RETURNING merchant_id, id
),
done AS (SELECT admitted.* FROM admitted JOIN changed USING (merchant_id, id))`;
}

/** A transition: the guard is in the write. A key that is taken already fails the statement, and so undoes the move. */
function transitionCause(mapping: AnyMapping): string {
  return `
changed AS (
  UPDATE ${mapping.table} t
  SET ${changingColumns(mapping)
    .map((column) => `${column} = (unit."row").${column}`)
    .join(", ")}
  FROM unit
  WHERE t.merchant_id = unit.merchant_id AND t.id = unit.id
    AND t.status = unit.from_status AND t.revision = unit.from_revision
  RETURNING t.merchant_id, t.id
),
done AS (SELECT unit.* FROM unit JOIN changed USING (merchant_id, id)),
claimed AS (INSERT INTO idempotency_key ${CLAIM_COLUMNS} ${claimValues("done")}),
admitted AS (SELECT n FROM unit)`;
}

/** A step of a top-up's totals: of several with one number, the first is recorded and the others do nothing. */
const TOTAL_CAUSE = `
changed AS (
  INSERT INTO topup_total (merchant_id, intent_id, ordinal, environment, currency, base_amount, reported_amount, seen_amount,
                           created_at)
  SELECT (unit."row").merchant_id, (unit."row").intent_id, (unit."row").ordinal, (unit."row").environment,
         (unit."row").currency, (unit."row").base_amount, (unit."row").reported_amount, (unit."row").seen_amount, at
  FROM unit
  ON CONFLICT (merchant_id, intent_id, ordinal) DO NOTHING
  RETURNING merchant_id, intent_id
),
done AS (
  SELECT unit.* FROM unit JOIN changed ON changed.merchant_id = unit.merchant_id AND changed.intent_id = unit.id
),
admitted AS (SELECT n FROM unit)`;

/** A booking without an intent's change: everything but the cause. */
const BOOKING_CAUSE = `
done AS (SELECT * FROM unit),
admitted AS (SELECT n FROM unit)`;

const RECORDS = `
attempts AS (
  INSERT INTO provider_attempt (merchant_id, id, environment, intent_id, ordinal, provider, provider_account,
                                provider_sub_account, reference, state, started_at)
  SELECT merchant_id, attempt->>'id', environment, id, coalesce((attempt->>'ordinal')::int, 1), attempt->>'provider',
         attempt->>'account', attempt->>'sub_account', attempt->>'reference', 'started', at
  FROM done WHERE attempt IS NOT NULL
),
answers AS (
  UPDATE provider_attempt a
  SET state = d.answer->>'state', outcome = d.answer->>'outcome', answered_at = d.at,
      provider_reference = d.answer->>'provider_reference', provider_code = d.answer->>'provider_code'
  FROM done d
  WHERE d.answer IS NOT NULL AND a.merchant_id = d.merchant_id AND a.id = d.answer->>'id' AND a.intent_id = d.id
    AND (a.state = 'started' OR shows_acceptance(d.answer->>'outcome'))
),
audits AS (
  INSERT INTO audit_entry (merchant_id, id, environment, actor_type, actor_id, action, object_id, before, after, reason,
                           request_id, address, created_at)
  SELECT merchant_id, audit->>'id', environment, audit->>'actor_type', audit->>'actor_id', audit->>'action',
         coalesce(id, audit->>'object_id'), nullif(audit->'before', 'null'), nullif(audit->'after', 'null'), audit->>'reason', audit->>'request_id',
         audit->>'address', at
  FROM done
),
queued AS (INSERT INTO audit_pending (merchant_id, entry_id) SELECT merchant_id, audit->>'id' FROM done),
seals AS (
  INSERT INTO idempotency_seal (merchant_id, api_key_id, key, status, body)
  SELECT merchant_id, seal->>'api_key_id', seal->>'key', (seal->>'status')::int, seal->>'body'
  FROM done WHERE seal IS NOT NULL
)`;

const EVENTS = `
events AS (
  INSERT INTO event (merchant_id, id, environment, type, intent_id, status, failure_code, failure_message, created_at,
                     body)
  SELECT merchant_id, event->>'id', environment, event->>'type', id, event->>'status', event->>'failure_code',
         event->>'failure_message', at, event->>'body'
  FROM done WHERE event IS NOT NULL
)`;

/**
 * Entries are numbered per account under the lock of its balance row, credits before debits, so that a running balance
 * is never negative at any entry. The CHECK on the balance refuses what the wallet does not hold.
 */
const LEDGER = `
entry AS (
  SELECT d.merchant_id, d.environment, e.currency, e.kind, e.transaction_id, e.amount,
         row_number() OVER (PARTITION BY d.merchant_id, d.environment, e.currency, e.kind ORDER BY e.amount DESC, d.n)
           AS position
  FROM done d
  CROSS JOIN LATERAL jsonb_to_recordset(d.entries) AS e(transaction_id text, kind text, currency text, amount numeric)
),
balanced AS (
  UPDATE ledger_account a
  SET balance = a.balance + s.amount, last_sequence = a.last_sequence + s.entries
  FROM (
    SELECT merchant_id, environment, currency, kind, sum(amount) AS amount, count(*) AS entries
    FROM entry GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ) s
  WHERE a.merchant_id = s.merchant_id AND a.environment = s.environment AND a.currency = s.currency AND a.kind = s.kind
  RETURNING a.merchant_id, a.environment, a.currency, a.kind, a.last_sequence - s.entries AS base
),
booked AS (
  INSERT INTO ledger_transaction (merchant_id, id, environment, reason, unique_key, intent_id, created_at,
                                  movement_ordinal, journaled_intent_id)
  SELECT d.merchant_id, t.id, d.environment, t.reason, t.unique_key, t.intent_id, d.at, t.movement_ordinal,
         t.journaled_intent_id
  FROM done d
  CROSS JOIN LATERAL jsonb_to_recordset(d.transactions)
    AS t(id text, reason text, unique_key text, intent_id text, movement_ordinal int, journaled_intent_id text)
),
entries AS (
  INSERT INTO ledger_entry (merchant_id, environment, currency, kind, sequence, transaction_id, amount)
  SELECT e.merchant_id, e.environment, e.currency, e.kind, b.base + e.position, e.transaction_id, e.amount
  FROM entry e LEFT JOIN balanced b USING (merchant_id, environment, currency, kind)
)`;

/**
 * One delivery per endpoint that asks for the event, whatever its state: what waits is sent once it may be. A delivery's
 * id is its event's with the endpoint's place as the last character.
 */
const DELIVERIES = `
deliveries AS (
  INSERT INTO delivery (merchant_id, id, environment, endpoint_id, event_id, state, due_at, created_at)
  SELECT d.merchant_id, 'dlv_' || substr(d.event->>'id', 5, 25) || substr('0123456789a', e.slot + 1, 1), d.environment,
         e.id, d.event->>'id', 'pending', d.at, ${NOW_MS}
  FROM done d JOIN webhook_endpoint e
    ON e.merchant_id = d.merchant_id AND e.environment = d.environment AND e.deleted_at IS NULL
  WHERE d.event IS NOT NULL AND (e.event_types IS NULL OR d.event->>'type' = ANY (e.event_types))
)`;

const APPROVALS = `
approvals AS (
  INSERT INTO approval (merchant_id, payout_id, member_id, digest, created_at, revision, policy_version)
  SELECT merchant_id, id, approval->>'member_id', approval->>'digest', at, (approval->>'revision')::int,
         (approval->>'policy_version')::int
  FROM done WHERE approval IS NOT NULL
)`;

/** A known fact opens no exception. */
const EXCEPTIONS = `
exceptions AS (
  INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
  SELECT d.merchant_id, x.id, d.environment, x.kind, x.object_id, x.fact, x.detail, d.at
  FROM done d
  CROSS JOIN LATERAL jsonb_to_recordset(d.exceptions) AS x(id text, kind text, object_id text, fact text, detail jsonb)
  ON CONFLICT (merchant_id, environment, fact) DO NOTHING
)`;

const VERDICTS = `
SELECT unit.n, (done.n IS NOT NULL) AS done, (admitted.n IS NOT NULL) AS admitted
FROM unit LEFT JOIN done USING (n) LEFT JOIN admitted USING (n)
ORDER BY unit.n`;

/**
 * What units need beside their cause, each containing the one before: `records` of calls, audit and answers; `money`,
 * with ledger entries, events and their deliveries; `whole`, with approvals and exceptions. A part costs every statement
 * that has it, also where no unit does; more shapes than these would cost each connection their plans.
 */
export type Shape = "records" | "money" | "whole";

/** A statement in each shape. */
export type Statements = Readonly<Record<Shape, string>>;

/** The least shape that has what the unit needs. */
export function shapeOf(unit: Readonly<Record<string, unknown>>): Shape {
  if (unit.approval || unit.exceptions) return "whole";
  const isEmpty = Array.isArray(unit.transactions) && unit.transactions.length === 0;
  return unit.event || !isEmpty ? "money" : "records";
}

/** The least shape that has what all of them need. */
export function commonShape(shapes: readonly Shape[]): Shape {
  if (shapes.includes("whole")) return "whole";
  return shapes.includes("money") ? "money" : "records";
}

function inEachShape(rowType: string, cause: string, money: readonly string[]): Statements {
  const assemble = (...parts: string[]) => `WITH ${[units(rowType), cause, RECORDS, ...parts].join(",")}${VERDICTS}`;
  return {
    records: assemble(),
    money: assemble(...money),
    whole: assemble(...money, APPROVALS, EXCEPTIONS),
  };
}

/** The statement that creates intents of one kind. */
export function creationStatement(mapping: AnyMapping): Statements {
  return inEachShape(mapping.table, creationCause(mapping), [LEDGER]);
}

/** The statement that moves intents of one kind. */
export function transitionStatement(mapping: AnyMapping): Statements {
  return inEachShape(mapping.table, transitionCause(mapping), [EVENTS, LEDGER, DELIVERIES]);
}

/** The statement that books ledger transactions outside any transition: funding, stray money, fees. */
export const BOOKING_STATEMENT = inEachShape("jsonb", BOOKING_CAUSE, [LEDGER]);

/** The statement that records steps of top-ups' totals, each with what it books. */
export const TOTAL_STATEMENT = inEachShape("topup_total", TOTAL_CAUSE, [LEDGER]);
