// What people know intents by: the merchant's reference, the provider's, and the counterparty.
import type { Scope } from "@/server/domain/scope";
import { query } from "./client";

export interface IntentNames {
  readonly merchantReference: string | null;
  /** The newest reference that the provider gave; null if it gave none. */
  readonly providerReference: string | null;
  /** The payer or recipient; null for top-ups, and for payers that were not named or are erased. */
  readonly counterparty: string | null;
}

const NAMES = `
  SELECT n.id, n.reference AS "merchantReference", n.counterparty, a.provider_reference AS "providerReference"
  FROM (
    SELECT id, merchant_reference AS reference, coalesce(customer->>'name', customer->>'email') AS counterparty
    FROM payment_intent WHERE merchant_id = $1 AND environment = $2 AND id = ANY($3::text[])
    UNION ALL
    SELECT id, merchant_reference, recipient_holder_name
    FROM payout_intent WHERE merchant_id = $1 AND environment = $2 AND id = ANY($3::text[])
    UNION ALL
    SELECT id, merchant_reference, NULL
    FROM topup_intent WHERE merchant_id = $1 AND environment = $2 AND id = ANY($3::text[])
  ) n
  LEFT JOIN LATERAL (
    SELECT p.provider_reference FROM provider_attempt p
    WHERE p.merchant_id = $1 AND p.intent_id = n.id AND p.provider_reference IS NOT NULL
    ORDER BY p.ordinal DESC LIMIT 1
  ) a ON true`;

/** The names of those intents of the scope, by their ids; what the scope does not have is missing. */
export async function findIntentNames(
  { merchantId, environment }: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IntentNames>> {
  if (ids.length === 0) return new Map();
  const rows = await query<IntentNames & { readonly id: string }>(NAMES, merchantId, environment, ids);
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}
