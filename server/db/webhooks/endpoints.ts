import type { Scope } from "@/server/domain/scope";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { query } from "../client";
import type { PagePosition } from "../list-start";
import { ENDPOINT_COLUMNS, type EndpointRow, fromEndpointRow } from "./endpoint-row";

const SELECT = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint
  WHERE merchant_id = $1 AND environment = $2 AND deleted_at IS NULL`;

/** The endpoint, or null: deleted ones are gone. */
export async function findEndpoint({ merchantId, environment }: Scope, id: string): Promise<WebhookEndpoint | null> {
  const [row] = await query<EndpointRow>(`${SELECT} AND id = $3`, merchantId, environment, id);
  return row ? fromEndpointRow(row) : null;
}

/** At most `count` endpoints, newest first, after the position. */
export async function listEndpoints(
  { merchantId, environment }: Scope,
  after: PagePosition | null,
  count: number,
): Promise<WebhookEndpoint[]> {
  const rows = await query<EndpointRow>(
    `${SELECT} AND ($3::timestamptz IS NULL OR (created_at, id) < ($3::timestamptz, $4))
     ORDER BY created_at DESC, id DESC LIMIT $5`,
    merchantId,
    environment,
    after?.createdAt ?? null,
    after?.id ?? "",
    count,
  );
  return rows.map(fromEndpointRow);
}

/** Sealed secrets that sign now: the present one, and the one before while it does. */
export async function findSealedSecrets({ merchantId, environment }: Scope, id: string): Promise<string[]> {
  const [row] = await query<{ present: string; previous: string | null }>(
    `SELECT secret_sealed AS present,
            CASE WHEN previous_secret_until > now() THEN previous_secret_sealed END AS previous
     FROM webhook_endpoint WHERE merchant_id = $1 AND environment = $2 AND id = $3 AND deleted_at IS NULL`,
    merchantId,
    environment,
    id,
  );
  return row ? [row.present, row.previous].filter((sealed) => sealed !== null) : [];
}
