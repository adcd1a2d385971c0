// Support for tests of an upgraded database: finds intents, runs the worker on all of them, and reads the books.

import { Client } from "pg";
import { asMember } from "@/server/cli/acting-as";
import { query } from "@/server/db/client";
import type { Scope } from "@/server/domain/scope";
import type { Settlement } from "@/server/domain/suspense";
import { env } from "@/server/platform/env";
import { linkAuditEntries } from "@/server/services/audit/link-entries";
import { applyDueCallbacks } from "@/server/services/callbacks/receive-callback";
import { claimLeaseMs, workOnDueIntents } from "@/server/services/due-intents";
import { settleException } from "@/server/services/exceptions/settle";
import { approvePayoutIntent } from "@/server/services/payouts/approve";

export interface Intent {
  readonly id: string;
  readonly merchant_id: string;
  readonly amount: string;
  readonly status: string;
}

const INTENTS = `
  SELECT id, merchant_id, environment, amount, status, created_at FROM payment_intent UNION ALL
  SELECT id, merchant_id, environment, amount, status, created_at FROM payout_intent UNION ALL
  SELECT id, merchant_id, environment, destination_amount, status, created_at FROM topup_intent`;

/** The newest live intent of that kind and amount. */
export async function find(prefix: "dord" | "word" | "tuin", amount: string): Promise<Intent> {
  const [intent] = await query<Intent>(
    `SELECT id, merchant_id, amount::text, status FROM (${INTENTS}) i
     WHERE starts_with(id, $1) AND amount = $2::numeric AND environment = 'live' ORDER BY created_at DESC LIMIT 1`,
    prefix,
    amount,
  );
  if (!intent) throw new Error(`the recording has no ${prefix} of ${amount}`);
  return intent;
}

/**
 * Moves the times of open intents, calls and keys, so that the recording ends now. Settled history stays as it was, and so do
 * callbacks that became due when they were loaded.
 */
export async function moveToPresent(recordedAt: string): Promise<void> {
  const client = new Client({ connectionString: env().databaseUrl ?? "" });
  await client.connect();
  try {
    await client.query("SET session_replication_role = replica");
    const age = `(now() - '${recordedAt}'::timestamptz)`;
    await client.query(`UPDATE provider_attempt a SET started_at = started_at + ${age}, answered_at = answered_at + ${age}
      FROM (SELECT merchant_id, id FROM payment_intent WHERE due_at IS NOT NULL
        UNION ALL SELECT merchant_id, id FROM payout_intent WHERE due_at IS NOT NULL
        UNION ALL SELECT merchant_id, id FROM topup_intent WHERE due_at IS NOT NULL) i
      WHERE (a.merchant_id, a.intent_id) = (i.merchant_id, i.id)`);
    const changed = `, updated_at = updated_at + ${age}`;
    for (const [table, more] of [
      ["payment_intent", `${changed}, expires_at = expires_at + ${age}, payer_acted_at = payer_acted_at + ${age}`],
      ["payout_intent", changed],
      ["topup_intent", `${changed}, expires_at = expires_at + ${age}`],
      ["provider_callback", ""],
      ["delivery", ""],
    ]) {
      const isRecorded =
        table === "provider_callback" ? `due_at < '${recordedAt}'::timestamptz + interval '1 hour'` : "true";
      await client.query(
        `UPDATE ${table} SET due_at = due_at + ${age}${more} WHERE due_at IS NOT NULL AND ${isRecorded}`,
      );
    }
    const key = `created_at = created_at + ${age}, lease_until = lease_until + ${age}`;
    await client.query(`UPDATE idempotency_key SET ${key}`);
    await client.query(`UPDATE audit_pending SET queued_at = queued_at + ${age}`);
  } finally {
    await client.end();
  }
}

/** Makes all intents due and runs one round of all work on intents. */
export async function work(): Promise<void> {
  for (const table of ["payment_intent", "payout_intent", "topup_intent"]) {
    const gate = table === "payout_intent" ? "AND status <> 'requires_approval'" : "";
    await query(`UPDATE ${table} SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL ${gate}`);
  }
  await query("UPDATE provider_callback SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL");
  await applyDueCallbacks(100, 30_000);
  for (const kind of ["payment_intent", "payout_intent", "topup_intent"] as const) {
    await workOnDueIntents(kind, 100, claimLeaseMs());
  }
  await linkAuditEntries();
}

/** Approves a payout as the member whose email address starts with `email`. */
export async function approve(payout: Intent, email: string): Promise<void> {
  const [member] = await query<{ id: string }>(
    "SELECT id FROM member WHERE merchant_id = $1 AND starts_with(email, $2)",
    payout.merchant_id,
    email,
  );
  const scope = { merchantId: payout.merchant_id, environment: "live" } as const;
  const actor = { type: "member", id: member?.id ?? "" } as const;
  await approvePayoutIntent({ scope, actor, requestId: null, address: null }, { id: payout.id });
}

/** The amounts booked for an intent, per account. */
export async function bookedFor({ id }: Intent): Promise<Record<string, string>> {
  const rows = await query<{ kind: string; amount: string }>(
    `SELECT split_part(e.kind, ':', 1) AS kind, sum(e.amount)::text AS amount FROM ledger_transaction t
     JOIN ledger_entry e ON (e.merchant_id, e.transaction_id) = (t.merchant_id, t.id)
     WHERE t.intent_id = $1 GROUP BY 1 HAVING sum(e.amount) <> 0`,
    id,
  );
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]));
}

/** Kinds of the open exceptions about an intent. */
export const openExceptions = (id: string) =>
  query<{ kind: string }>("SELECT kind FROM exception WHERE object_id = $1 AND resolved_at IS NULL ORDER BY kind", id);

/** A member who resolves exceptions. */
export const FINANCE = "finance@first.example";

/** Resolves every open exception that this decision fits, of one intent or of all if null. Returns their number. */
export async function settleMoney(intentId: string | null, as: Settlement): Promise<number> {
  const rows = await query<Scope & { id: string }>(
    `SELECT id, merchant_id AS "merchantId", environment FROM exception
     WHERE resolved_at IS NULL AND detail ? 'booked_to' AND object_id = coalesce($1, object_id)`,
    intentId,
  );
  const settled = await Promise.allSettled(
    rows.map(async ({ id, ...scope }) => settleException(await asMember(scope, FINANCE), id, as, "Decided.")),
  );
  return settled.filter(({ status }) => status === "fulfilled").length;
}
