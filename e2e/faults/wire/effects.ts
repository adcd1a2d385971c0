// What a trial has changed, as the database and the provider tell it.
import { bookingsOf, eventsOf } from "../../rest/database";
import type { Lane } from "./stage";

type Table = "payment_intent" | "payout_intent" | "topup_intent";

export interface IntentEffects {
  readonly status: string;
  /** How many intents have the same merchant reference. */
  readonly copies: number;
  readonly events: readonly string[];
  readonly bookings: readonly string[];
  /** How often the provider accepted it, and how often it moved money; 0 in the test environment. */
  readonly acceptances: number;
  readonly executions: number;
}

/** Everything that the ledger, the events and the provider know about an intent. */
export async function intentEffects({ bridge }: Lane, table: Table, id: string): Promise<IntentEffects> {
  const { database } = bridge.world;
  const [intent] = await database.query<{ status: string; environment: string; copies: number }>(
    `SELECT i.status, i.environment, (SELECT count(*)::int FROM ${table} o
       WHERE (o.merchant_id, o.environment, o.merchant_reference) = (i.merchant_id, i.environment, i.merchant_reference)
     ) AS copies
     FROM ${table} i WHERE i.id = $1`,
    id,
  );
  if (!intent) throw new Error(`there is no intent ${id}`);
  const { status, environment, copies } = intent;
  const isLive = environment === "live";
  return {
    status,
    copies,
    events: (await eventsOf(database, id)).map(({ type }) => type),
    bookings: await bookingsOf(database, id),
    acceptances: isLive ? await bridge.acceptancesOf(id) : 0,
    executions: isLive ? await bridge.executionsOf(id) : 0,
  };
}

/** The audit entries about an object, in order: one for each change that was made. */
export async function changesOf({ bridge }: Lane, objectId: string): Promise<string[]> {
  const rows = await bridge.world.database.query<{ action: string }>(
    "SELECT action FROM audit_entry WHERE object_id = $1 ORDER BY created_at, id",
    objectId,
  );
  return rows.map(({ action }) => action);
}
