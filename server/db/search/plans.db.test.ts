// Every statement of search and of the filters' choices reads a few rows of an index, with 100,000 terms of one merchant and
// 30,000 rows in the other tables.
import { afterAll, beforeAll, expect, it } from "vitest";
import { SEARCHED_INTENTS } from "@/server/domain/search-text";
import { queryAsOwner } from "@/server/testing/owner";
import { disconnect, inTransaction } from "../client";
import { FIND_IN_RANGE, FIND_UNFILLED, passingStatement, stretchEndStatement } from "../intents/amount-range";
import { paymentMapping } from "../intents/payment-row";
import { countValuesStatement } from "../intents/values";
import { FIND_RECIPIENTS } from "../payout-recipients";
import { FILLED_UNTIL } from "./fill";
import { FIND_AT_PROVIDER, FIND_EVENTS, FIND_TERMS, findIdsStatement } from "./find";

const TERMS = 100_000;
/** Of the other tables. */
const ROWS = 30_000;
const COUNT = 6;
/** A hundred ids begin like this. */
const ID_RANGE = ["01jd0077000000000000000000", "01jd0077zzzzzzzzzzzzzzzzzz"];
const rangeOf = (prefix: string) => ID_RANGE.map((end) => `${prefix}_${end}`);

/** Rows as they are stored, without what triggers check of them: only their number and their keys matter here. */
const LOAD = `
  SET session_replication_role = replica;
  INSERT INTO search_term (merchant_id, environment, kind, field, term, rank, object_id)
  SELECT 'mer_a', 'test', kind, field,
         CASE field WHEN 'reference' THEN 'inv-' || n WHEN 'name' THEN 'ana ' || n % 100 ELSE 'BRL ' || n % 50 END,
         -n, 'dord_' || lpad(n::text, 26, '0')
  FROM generate_series(1, ${TERMS / 5}) n,
       (VALUES ('payment_intent', 'reference'), ('payment_intent', 'amount'), ('payout_intent', 'reference'),
               ('payout_intent', 'amount'), ('payout_intent', 'name')) AS f(kind, field);
  INSERT INTO payment_intent (merchant_id, id, environment, status, revision, amount, currency, country, merchant_reference,
    payment_method, provider, next_action_type, failure_code, expires_at, created_at, updated_at)
  SELECT 'mer_a', 'dord_01jd' || lpad((n / 100)::text, 4, '0') || lpad(n::text, 18, '0'), 'test', 'expired', 1, 1000,
    CASE n % 10000 WHEN 7 THEN 'MXN' ELSE 'BRL' END, CASE n % 10000 WHEN 7 THEN 'MX' ELSE 'BR' END, 'inv-' || n,
    CASE n % 10000 WHEN 7 THEN 'MX_SPEI' ELSE 'BR_PIX' END, 'sandbox', 'display_qr_code', 'expired', now(), now(), now()
  FROM generate_series(1, ${ROWS}) n;
  INSERT INTO payment_intent SELECT (jsonb_populate_record(p, jsonb_build_object('merchant_id', 'mer_b', 'id', left(id, 13) || 'z' || right(id, 17),
    'merchant_reference', id))).* FROM payment_intent p WHERE starts_with(id, 'dord_01jd0077');
  INSERT INTO provider_attempt (merchant_id, id, environment, intent_id, ordinal, provider, state, outcome,
    provider_reference, started_at, answered_at)
  SELECT 'mer_a', 'att_' || n, 'test', 'dord_' || n, 1, 'sandbox', 'answered', 'succeeded', 'ref-' || n, now(), now()
  FROM generate_series(1, ${ROWS}) n;
  INSERT INTO event (merchant_id, id, environment, type, intent_id, status, failure_code, created_at, body)
  SELECT 'mer_a', 'evt_01jd' || lpad((n / 100)::text, 4, '0') || lpad(n::text, 18, '0'), 'test', 'payment_intent.failed',
    'dord_' || n, 'failed', 'expired', now(), '{}'
  FROM generate_series(1, ${ROWS}) n;
  INSERT INTO audit_link (merchant_id, sequence, entry_id, hash, key_id, linked_at)
  SELECT 'mer_a', n, 'aud_' || n, repeat('a', 64), 'k1', now() FROM generate_series(1, ${ROWS}) n;
  INSERT INTO search_mark (merchant_id, last_sequence) VALUES ('mer_a', ${ROWS / 2});
  INSERT INTO search_mark (merchant_id, last_sequence) SELECT 'mer_' || n, n FROM generate_series(1, 5000) n;
  INSERT INTO payout_recipient (merchant_id, id, environment, holder_name, bank_code, country, currency, account_sealed,
    account_last4, saved_by_id, created_at, usable_from, removed_at)
  SELECT 'mer_a', 'rcp_' || n, 'test', 'Ana ' || n, '001', 'BR', 'BRL', 'sealed', '1234', 'mem_1', now(), now(),
    CASE WHEN n > 1000 THEN now() END
  FROM generate_series(1, 20000) n;`;

beforeAll(async () => {
  await queryAsOwner(LOAD);
  await queryAsOwner(
    "ANALYZE search_term, payment_intent, provider_attempt, event, audit_link, search_mark, payout_recipient",
  );
}, 300_000);
afterAll(disconnect);

const IN_SCOPE = ["mer_a", "test"];
const terms = (field: string, text: string) => [
  SEARCHED_INTENTS,
  SEARCHED_INTENTS.map(() => field),
  SEARCHED_INTENTS.map(() => text),
  COUNT,
];

interface Case {
  readonly name: string;
  readonly sql: string;
  readonly values: readonly unknown[];
  /** The largest number of rows that one scan of an index may read. */
  readonly atMost: number;
}

const CASES: readonly Case[] = [
  { name: "every reference", sql: FIND_TERMS, values: [...IN_SCOPE, ...terms("reference", "INV-")], atMost: COUNT },
  { name: "one reference", sql: FIND_TERMS, values: [...IN_SCOPE, ...terms("reference", "inv-777")], atMost: COUNT },
  { name: "every name", sql: FIND_TERMS, values: [...IN_SCOPE, ...terms("name", "Á")], atMost: COUNT },
  { name: "a frequent amount", sql: FIND_TERMS, values: [...IN_SCOPE, ...terms("amount", "BRL 7")], atMost: COUNT },
  { name: "no reference", sql: FIND_TERMS, values: [...IN_SCOPE, ...terms("reference", "zzz")], atMost: COUNT },
  ...SEARCHED_INTENTS.map((table) => ({
    name: `the beginning of an id of ${table}`,
    sql: findIdsStatement(table),
    values: [...IN_SCOPE, ...rangeOf("dord"), COUNT],
    atMost: COUNT,
  })),
  { name: "the provider's reference", sql: FIND_AT_PROVIDER, values: [...IN_SCOPE, "ref-77777", COUNT], atMost: COUNT },
  { name: "events", sql: FIND_EVENTS, values: [...IN_SCOPE, ...rangeOf("evt"), COUNT], atMost: COUNT },
  // At most 1,000 recipients are present at a time.
  { name: "recipients", sql: FIND_RECIPIENTS, values: [...IN_SCOPE, "ana 77", COUNT], atMost: 1_000 },
  ...["country", "currency", "payment_method"].map((column) => ({
    name: `the values of ${column}, counted`,
    sql: countValuesStatement(paymentMapping, column, {}, 1_000, String),
    values: IN_SCOPE,
    atMost: 1_000,
  })),
  {
    name: "amounts in a range",
    sql: FIND_IN_RANGE,
    values: [...IN_SCOPE, "payment_intent", "BRL 2", "BRL 9", COUNT],
    atMost: COUNT,
  },
  {
    name: "what may have no terms yet",
    sql: FIND_UNFILLED,
    values: ["mer_a", "payment_intent.create", COUNT],
    atMost: COUNT,
  },
  {
    name: "intents of the ids that pass the other filters",
    sql: passingStatement(paymentMapping, { country: "BR", amount: { from: 1n, to: 5n } }, literal),
    values: [...IN_SCOPE, ["dord_1", "dord_2", "dord_3"]],
    atMost: 1,
  },
  ...(["newest_first", "oldest_first"] as const).map((order) => ({
    name: `the end of a stretch, ${order}`,
    sql: stretchEndStatement(paymentMapping, { equals: { currency: "BRL" } }, order, null, 1_000, literal),
    values: IN_SCOPE,
    atMost: 1_000,
  })),
  { name: "how far the table is filled", sql: FILLED_UNTIL, values: ["mer_a"], atMost: 1 },
];

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** A bitmap's rows come from the index below it. */
const INDEX_SCANS = ["Index Scan", "Index Only Scan", "Bitmap Heap Scan"];

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(", ")}]::text[]`;
  return typeof value === "number" ? String(value) : `'${String(value)}'`;
}

/** Plans for these values, and for any values: the service's statements get the latter after their first few times. */
it.each(CASES.flatMap((one) => ["custom", "generic"].map((mode) => ({ ...one, mode }))))(
  "$name, $mode plan: few rows of an index",
  async ({ sql, values, atMost, mode }) => {
    const nodes = await inTransaction(async (transaction) => {
      await transaction.query(`SET LOCAL plan_cache_mode = force_${mode}_plan`);
      await transaction.query(`PREPARE search_${mode} AS ${sql}`);
      const execute = `EXECUTE search_${mode}(${values.map(literal).join(", ")})`;
      const [row] = await transaction.query<{ "QUERY PLAN": readonly [{ readonly Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`,
      );
      await transaction.query(`DEALLOCATE search_${mode}`);
      return row ? nodesOf(row["QUERY PLAN"][0].Plan) : [];
    });
    const scans = nodes.filter((node) => node["Relation Name"] !== undefined);
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.filter((node) => !INDEX_SCANS.includes(node["Node Type"]))).toEqual([]);
    for (const scan of scans) {
      expect(scan["Actual Rows"] + (scan["Rows Removed by Filter"] ?? 0)).toBeLessThanOrEqual(atMost);
    }
  },
);
