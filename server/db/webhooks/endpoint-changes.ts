// Changing webhook endpoints: each change with its audit entry and its stored answer in one transaction.
import { MAXIMUM_ENDPOINTS } from "@/server/domain/delivery";
import type { EventType } from "@/server/domain/events";
import type { Scope } from "@/server/domain/scope";
import type { MissedDeliveries, WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { type Act, recordChange } from "../audit/record";
import { inTransaction, query } from "../client";
import type { Seal } from "../commit/unit";
import { sealKeyWithin } from "../idempotency";
import type { Transaction } from "../transaction";
import { auditedEndpoint, ENDPOINT_COLUMNS, type EndpointRow, fromEndpointRow } from "./endpoint-row";

/** Who changes it, and the answer to be stored with the change: made of the endpoint as it then is. */
export interface ChangeEffects {
  readonly act: Act;
  readonly seal: (after: WebhookEndpoint, missed: MissedDeliveries | null) => Seal | null;
}

export interface NewEndpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly EventType[] | null;
  readonly secretSealed: string;
}

async function record(
  transaction: Transaction,
  verb: string,
  before: WebhookEndpoint | null,
  after: WebhookEndpoint | null,
  act: Act,
): Promise<void> {
  const endpoint = (after ?? before) as WebhookEndpoint;
  const { merchantId, environment, id: objectId } = endpoint;
  const states = { before: before && auditedEndpoint(before), after: after && auditedEndpoint(after) };
  await recordChange(
    transaction,
    { merchantId, environment, action: `webhook_endpoint.${verb}`, objectId, ...states },
    act,
  );
}

async function store(transaction: Transaction, merchantId: string, seal: Seal | null): Promise<void> {
  if (seal) await sealKeyWithin(transaction, merchantId, seal);
}

const INSERT = `
  INSERT INTO webhook_endpoint (merchant_id, id, environment, slot, url, description, event_types, state, secret_sealed,
                                subscribed_at, created_at, updated_at)
  SELECT $1, $2, $3, place, $4, $5, $6::text[], 'enabled', $7, clock_timestamp(), $8::timestamptz, $8::timestamptz
  FROM generate_series(1, ${MAXIMUM_ENDPOINTS}) place
  WHERE NOT EXISTS (SELECT FROM webhook_endpoint e WHERE e.merchant_id = $1 AND e.environment = $3
                    AND e.slot = place AND e.deleted_at IS NULL)
  ORDER BY place LIMIT 1
  RETURNING ${ENDPOINT_COLUMNS}`;

/** Inserts an endpoint; null when the merchant has as many as it may have in this environment. */
export function insertEndpoint(
  { merchantId, environment }: Scope,
  endpoint: NewEndpoint,
  { act, seal }: ChangeEffects,
): Promise<WebhookEndpoint | null> {
  return inTransaction(async (transaction) => {
    // One creation at a time looks for a free place; the unique key of places guards it all the same.
    await transaction.query("SELECT FROM merchant WHERE id = $1 FOR NO KEY UPDATE", merchantId);
    const { id, url, description, eventTypes, secretSealed } = endpoint;
    const values = [merchantId, id, environment, url, description, eventTypes, secretSealed, act.at];
    const [row] = await transaction.query<EndpointRow>(INSERT, ...values);
    if (!row) return null;
    const after = fromEndpointRow(row);
    await record(transaction, "create", null, after, act);
    await store(transaction, merchantId, seal(after, null));
    return after;
  });
}

/** Columns to set, by name; always names of this layer. */
type Assignments = Readonly<Record<string, unknown>>;

async function update(
  transaction: Transaction,
  endpoint: WebhookEndpoint,
  assignments: Assignments,
  at: Date,
): Promise<WebhookEndpoint> {
  const columns = Object.keys(assignments);
  const casts: Readonly<Record<string, string>> = {
    event_types: "::text[]",
    previous_secret_until: "::timestamptz",
    subscribed_at: "::timestamptz",
    failing_since: "::timestamptz",
    held_until: "::timestamptz",
    disabled_at: "::timestamptz",
    deleted_at: "::timestamptz",
  };
  const sets = columns.map((column, n) => `, ${column} = $${n + 4}${casts[column] ?? ""}`).join("");
  const [row] = await transaction.query<EndpointRow>(
    `UPDATE webhook_endpoint SET updated_at = greatest(created_at, $3::timestamptz)${sets}
     WHERE merchant_id = $1 AND id = $2 RETURNING ${ENDPOINT_COLUMNS}`,
    endpoint.merchantId,
    endpoint.id,
    at,
    ...Object.values(assignments),
  );
  return fromEndpointRow(row as EndpointRow);
}

/** Deliveries that one statement skips. */
const SKIPPED_AT_ONCE = 2_000;

/**
 * A locked delivery is left out: its attempt is being recorded, and that statement locks the endpoint next. The order leads
 * the planner to the index of pending deliveries. What was found goes on as one array: while the planner believes that the
 * table is nearly empty, a join would read all deliveries of the merchant once for each of them.
 */
export const SKIP_WAITING = `
  UPDATE delivery d SET state = 'skipped', due_at = NULL, in_flight = false, claims = claims + 1,
         ended_at = greatest(d.created_at, $3::timestamptz)
  WHERE d.merchant_id = $1 AND d.id = ANY (ARRAY(
    SELECT p.id FROM webhook_endpoint e
    JOIN delivery p ON p.merchant_id = e.merchant_id AND p.endpoint_id = e.id AND p.state = 'pending'
    WHERE e.merchant_id = $1 AND e.id = $2 AND e.state = coalesce($4, e.state)
    ORDER BY p.due_at LIMIT ${SKIPPED_AT_ONCE} FOR NO KEY UPDATE OF p SKIP LOCKED))
  RETURNING d.id`;

/**
 * Skips up to `SKIPPED_AT_ONCE` deliveries that wait for the endpoint. If more wait for a deleted one, the worker skips
 * the rest.
 */
async function skipWaiting(transaction: Transaction, { merchantId, id }: WebhookEndpoint, at: Date): Promise<void> {
  await transaction.query(SKIP_WAITING, merchantId, id, at, null);
}

/**
 * Skips all that waits for an endpoint while it is disabled. Each statement commits by itself, because a disabled
 * endpoint may have gathered millions.
 */
export async function skipWaitingOfDisabled({ merchantId, id }: WebhookEndpoint, at: Date): Promise<void> {
  const skipSome = () => query<unknown>(SKIP_WAITING, merchantId, id, at, "disabled");
  while ((await skipSome()).length === SKIPPED_AT_ONCE);
}

async function countMissed(
  transaction: Transaction,
  { merchantId, id }: WebhookEndpoint,
): Promise<MissedDeliveries | null> {
  const [row] = await transaction.query<{ count: number; since: Date | null }>(
    `SELECT count(*)::int AS count, min(v.created_at) AS since
     FROM delivery d JOIN event v ON v.merchant_id = d.merchant_id AND v.id = d.event_id
     WHERE d.merchant_id = $1 AND d.endpoint_id = $2 AND d.state IN ('skipped', 'failed')`,
    merchantId,
    id,
  );
  return row?.since ? { count: row.count, since: row.since } : null;
}

/** What a change does; null where the endpoint is as wanted already. */
export interface EndpointChange {
  /** Names the change in the audit log. */
  readonly verb: "update" | "rotate_secret" | "disable" | "delete";
  readonly assignments: Assignments;
  /** True if what waits for it must not be sent; see `skipWaiting`. */
  readonly skipsWaiting?: boolean;
}

export interface EndpointChangeResult {
  readonly endpoint: WebhookEndpoint;
  /** What has not reached it, where the change has to do with that. */
  readonly missed: MissedDeliveries | null;
}

/**
 * Changes an endpoint as `decide` says of its present state, under its row's lock; the sealed secret is passed for
 * rotations. Null when there is none.
 */
export function changeEndpoint(
  { merchantId, environment }: Scope,
  id: string,
  decide: (endpoint: WebhookEndpoint, secretSealed: string) => EndpointChange | null,
  { act, seal }: ChangeEffects,
): Promise<EndpointChangeResult | null> {
  return inTransaction(async (transaction) => {
    const [row] = await transaction.query<EndpointRow & { secret_sealed: string }>(
      `SELECT ${ENDPOINT_COLUMNS}, secret_sealed FROM webhook_endpoint
       WHERE merchant_id = $1 AND environment = $2 AND id = $3 AND deleted_at IS NULL FOR NO KEY UPDATE`,
      merchantId,
      environment,
      id,
    );
    if (!row) return null;
    const before = fromEndpointRow(row);
    const change = decide(before, row.secret_sealed);
    if (!change) {
      await store(transaction, merchantId, seal(before, null));
      return { endpoint: before, missed: null };
    }
    const after = await update(transaction, before, change.assignments, act.at);
    if (change.skipsWaiting) await skipWaiting(transaction, after, act.at);
    const missed = change.skipsWaiting && change.verb !== "delete" ? await countMissed(transaction, after) : null;
    await record(transaction, change.verb, before, change.verb === "delete" ? null : after, act);
    await store(transaction, merchantId, seal(after, missed));
    return { endpoint: after, missed };
  });
}
