// Edits of payers' instructions, totals of top-ups and providers' answers.
import { column, edit, onPicked, pick, type RowEdit } from "./edit";

/** Edits of the payer's instructions. */
export const INSTRUCTIONS: readonly RowEdit[] = ["payment_intent", "topup_intent"].flatMap((table) => [
  column(table, "next_action", `next_action || '{"data": "pay Eve instead"}'`, "next_action IS NOT NULL"),
  // A payment's status requires instructions.
  ...(table === "payment_intent" ? [] : [column(table, "next_action", "NULL", "next_action IS NOT NULL")]),
]);

/** Edits of the received totals of a top-up. */
export const TOTALS: readonly RowEdit[] = [
  ...["seen_amount", "reported_amount"].map((name) => column("topup_intent", name, `${name} + 1`)),
  ...["seen_amount", "reported_amount"].map((name) => column("topup_total", name, `${name} + 1`)),
  column("topup_total", "ordinal", "ordinal + 100"),
  column("topup_total", "created_at", "created_at - interval '1 minute'"),
  edit("a total of a top-up is gone", `DELETE FROM topup_total WHERE ${onPicked("topup_total")}`),
  edit(
    "a total of a top-up more",
    `INSERT INTO topup_total
     SELECT (jsonb_populate_record(NULL::topup_total, to_jsonb(t) || jsonb_build_object('ordinal', ordinal + 100))).*
     FROM ${pick("*", "topup_total")} t`,
  ),
];

/** Attempts whose answer changed their intent. */
const MOVED_IT = `EXISTS (
  SELECT FROM audit_entry a
  WHERE a.merchant_id = provider_attempt.merchant_id AND a.after->'answer'->>'id' = provider_attempt.id)`;
const ACCEPTED_IT = `${MOVED_IT} AND shows_acceptance(outcome) AND provider_reference IS NOT NULL`;

/** Edits of calls to providers. */
export const EVIDENCE: readonly RowEdit[] = [
  column("provider_attempt", "outcome", "'never_accepted'", ACCEPTED_IT),
  column("provider_attempt", "provider_reference", "'px-forged'", ACCEPTED_IT),
  column("provider_attempt", "intent_id", "intent_id || '0'", MOVED_IT),
  edit(
    "a call that moved its intent is gone",
    `DELETE FROM provider_attempt WHERE ${onPicked("provider_attempt", MOVED_IT)}`,
  ),
];
