// What the database holds after a run: an intent or endpoint for each 201, and no other; other tables as before.
import type { Database } from "../../rest/database";

const CREATED = ["payment_intent", "payout_intent", "topup_intent", "webhook_endpoint"];

/** Tables that no REST operation writes. */
const UNTOUCHED = [
  "merchant",
  "merchant_brand",
  "merchant_currency",
  "topup_terms",
  "topup_policy_proposal",
  "api_key",
  "member",
  "role_grant",
  "member_session",
  "approval_policy",
  "approval",
  "payout_limit",
  "manual_resolution",
  "journal_entry",
  "settlement_file",
  "payout_account",
  "dispatch_pause",
];

export async function untouchedCounts(database: Database): Promise<string> {
  const counts = UNTOUCHED.map((name) => `SELECT '${name}' AS name, count(*)::int AS n FROM "${name}"`);
  return JSON.stringify(await database.query(counts.join(" UNION ALL ")));
}

/** Compares the merchants' rows with the ids of all answers 201. */
export async function judgeRows(
  database: Database,
  merchantIds: readonly string[],
  acknowledged: ReadonlySet<string>,
): Promise<string[]> {
  const selects = CREATED.map((table) => `SELECT '${table}' AS name, id FROM ${table} WHERE merchant_id = ANY($1)`);
  const rows = await database.query<{ name: string; id: string }>(selects.join(" UNION ALL "), merchantIds);
  const stored = new Set(rows.map(({ id }) => id));
  return [
    ...rows
      .filter(({ id }) => !acknowledged.has(id))
      .map(({ name, id }) => `${name} ${id} exists, but no answer was 201`),
    ...[...acknowledged].filter((id) => !stored.has(id)).map((id) => `${id} was answered with 201, but does not exist`),
  ];
}
