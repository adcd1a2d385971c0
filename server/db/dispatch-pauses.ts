// Dispatch pauses: pauses by operators, and payouts of a restored database.
import { newId } from "@/server/platform/ids";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, queryAcrossMerchants } from "./client";
import { NOW_MS } from "./now-ms";
import type { Transaction } from "./transaction";

/** What a pause holds back: all that fits each member that is not null. */
export interface PauseScope {
  readonly provider: string | null;
  readonly merchantId: string | null;
  readonly currency: string | null;
}

export interface Pause extends PauseScope {
  readonly id: string;
  readonly reason: string;
  readonly pausedBy: string;
  readonly pausedAt: Date;
}

/** What keeps work from being sent. `isRestored` where this is not the database whose payouts were reconciled last. */
export interface Pauses {
  readonly open: readonly Pause[];
  /** Suspended merchants. */
  readonly suspended: readonly string[];
  readonly isRestored: boolean;
  /** Cluster, timeline, database and tables as they are; null where the server does not tell. */
  readonly identity: string | null;
  /** As they were when dispatch was last allowed. */
  readonly knownIdentity: string | null;
}

/**
 * Every open pause, and whether the database was restored. A merchant that closes for a move, or arrives, is hidden from work of
 * all merchants. Its pauses are not: it may still send something, or send it the moment it opens.
 */
export async function readPauses(): Promise<Pauses> {
  const [row] = await queryAcrossMerchants<{
    identity: string | null;
    known: string | null;
    suspended: string[];
    open: (Omit<Pause, "pausedAt"> & { pausedAt: string })[];
  }>(
    `SELECT current_database_identity() AS identity, (SELECT database_identity FROM installation) AS known,
            holds.suspended, holds.open
     FROM dispatch_holds() AS holds`,
  );
  const { identity = null, known: knownIdentity = null, open = [], suspended = [] } = row ?? {};
  return {
    open: open.map((pause) => ({ ...pause, pausedAt: new Date(pause.pausedAt) })),
    suspended,
    isRestored: identity !== null && knownIdentity !== null && identity !== knownIdentity,
    identity,
    knownIdentity,
  };
}

const OPEN_OF_PROVIDER = ["payment_intent", "payout_intent", "topup_intent"]
  .map((table) => `SELECT FROM ${table} WHERE due_at IS NOT NULL AND provider = $1`)
  .join(" UNION ALL ");

/** Whether any merchant has an intent with that provider that the worker has to follow. */
export async function hasOpenIntents(provider: string): Promise<boolean> {
  const [row] = await queryAcrossMerchants<{ open: boolean }>(`SELECT EXISTS (${OPEN_OF_PROVIDER}) AS open`, provider);
  return row?.open ?? false;
}

/** Notes which database this is, unless one is noted. */
export async function noteDatabaseIdentity(): Promise<void> {
  await queryAcrossMerchants(
    `INSERT INTO installation AS i (database_identity) VALUES (current_database_identity())
     ON CONFLICT (single) DO UPDATE SET database_identity = excluded.database_identity
     WHERE i.database_identity IS NULL`,
  );
}

function named({ actor }: Act): string {
  return `${actor.type}:${actor.id}`;
}

const INSERT = `
  INSERT INTO dispatch_pause (id, provider, merchant_id, currency, reason, paused_by, paused_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7::timestamptz)`;

/** Starts a pause; gives its id. One of a merchant is in the merchant's audit log too. */
export function insertPause(scope: PauseScope, reason: string, act: Act): Promise<string> {
  const id = newId("dispatchPause");
  const { provider, merchantId, currency } = scope;
  return inTransaction(async (transaction) => {
    await transaction.query(INSERT, id, provider, merchantId, currency, reason, named(act), act.at);
    await audit(transaction, { id, ...scope }, "dispatch.pause", reason, act);
    return id;
  });
}

const END = `
  UPDATE dispatch_pause SET resume_reason = $1, resumed_by = $2, resumed_at = $3::timestamptz
  WHERE resumed_at IS NULL AND (provider, merchant_id, currency) IS NOT DISTINCT FROM ($4::text, $5::text, $6::text) RETURNING id`;

const DUE_AGAIN = (table: string, currency: string) => `
  UPDATE ${table} i SET due_at = ${NOW_MS}
  WHERE due_at > now() AND status IN ('processing', 'requires_payment')
    AND ($1::text IS NULL OR provider = $1) AND ($2::text IS NULL OR merchant_id = $2)
    AND ($3::text IS NULL OR ${currency} = $3)
    AND NOT EXISTS (SELECT FROM provider_attempt a WHERE a.merchant_id = i.merchant_id AND a.intent_id = i.id)`;

/** Makes what waits in the scope for its first call due. */
export async function makeWaitingDueWithin(
  transaction: Transaction,
  { provider, merchantId, currency }: PauseScope,
): Promise<void> {
  const values = [provider, merchantId, currency];
  await transaction.query(DUE_AGAIN("payment_intent", "currency"), ...values);
  await transaction.query(DUE_AGAIN("payout_intent", "currency"), ...values);
  await transaction.query(DUE_AGAIN("topup_intent", "destination_currency"), ...values);
}

/**
 * Ends the open pauses of exactly that scope and makes what waits for its first call due; gives their ids. One of
 * everything also accepts the database as it is, after a restore or a failover.
 */
export function endPauses(scope: PauseScope, reason: string, act: Act): Promise<string[]> {
  const { provider, merchantId, currency } = scope;
  const values = [provider, merchantId, currency];
  return inTransaction(async (transaction) => {
    const ended = await transaction.query<{ id: string }>(END, reason, named(act), act.at, ...values);
    for (const { id } of ended) await audit(transaction, { id, ...scope }, "dispatch.resume", reason, act);
    if (values.every((value) => value === null)) {
      await transaction.query("UPDATE installation SET database_identity = current_database_identity()");
    }
    await makeWaitingDueWithin(transaction, scope);
    return ended.map(({ id }) => id);
  });
}

async function audit(
  transaction: Transaction,
  { id, provider, merchantId, currency }: PauseScope & { readonly id: string },
  action: "dispatch.pause" | "dispatch.resume",
  reason: string,
  act: Act,
): Promise<void> {
  if (merchantId === null) return;
  const after = { provider, currency, reason };
  await recordChange(transaction, { merchantId, environment: null, action, objectId: id, before: null, after }, act);
}
