// Invariants of tenancy: every row has a parent of the same merchant and environment.
import type { Invariant } from "./invariant";
import { INTENTS } from "./relations";

/** SQL that is true if `c.intent_id` names an intent of the row's merchant that satisfies the condition. */
const hasIntent = (column: string, condition = "true") =>
  `EXISTS (SELECT FROM ${INTENTS} i WHERE i.merchant_id = c.merchant_id AND i.id = c.${column} AND ${condition})`;

const SAME_ENVIRONMENT = "i.environment = c.environment";

export const TENANCY_INVARIANTS: readonly Invariant[] = [
  {
    name: "attempt_belongs_to_its_intent",
    guarantee: "Every call to a provider is about an intent, or a refund, of its merchant and environment.",
    sql: `
      SELECT merchant_id, environment, id AS attempt_id, intent_id FROM provider_attempt c
      WHERE NOT ${hasIntent("intent_id", SAME_ENVIRONMENT)} AND NOT EXISTS (
        SELECT FROM suspense_refund r
        WHERE r.merchant_id = c.merchant_id AND r.id = c.intent_id AND r.environment = c.environment)`,
    needs: ["provider_attempt"],
  },
  {
    name: "approval_belongs_to_its_payout",
    guarantee: "Every approval is of a payout of its merchant.",
    sql: `
      SELECT merchant_id, payout_id AS intent_id, member_id FROM approval c
      WHERE NOT EXISTS (SELECT FROM payout_intent p WHERE p.merchant_id = c.merchant_id AND p.id = c.payout_id)`,
    needs: ["approval"],
  },
  {
    name: "event_belongs_to_its_intent",
    guarantee: "Every event is about an intent of its merchant and environment.",
    sql: `
      SELECT merchant_id, environment, id AS event_id, intent_id FROM event c
      WHERE NOT ${hasIntent("intent_id", SAME_ENVIRONMENT)}`,
    needs: ["event"],
  },
  {
    name: "ledger_transaction_belongs_to_its_intent",
    guarantee:
      "Every ledger transaction except a funding, a journal entry or a split of accounts is about an intent of its merchant and environment.",
    sql: `
      SELECT merchant_id, environment, id AS transaction_id, reason, intent_id FROM ledger_transaction c
      WHERE (intent_id IS NULL) <> (reason IN ('funding', 'journal', 'clearing_split'))
         OR (intent_id IS NOT NULL AND NOT ${hasIntent("intent_id", SAME_ENVIRONMENT)})`,
    needs: ["ledger_transaction WHERE intent_id IS NOT NULL"],
  },
  {
    name: "ledger_entry_belongs_to_its_transaction",
    guarantee: "Every ledger entry is part of a transaction of its merchant.",
    sql: `
      SELECT merchant_id, environment, currency, kind, sequence, transaction_id FROM ledger_entry c
      WHERE NOT EXISTS (SELECT FROM ledger_transaction t WHERE t.merchant_id = c.merchant_id AND t.id = c.transaction_id)`,
    needs: ["ledger_entry"],
  },
  {
    name: "audited_change_belongs_to_its_intent",
    guarantee: "Every audited change of an intent is about an intent of that kind, merchant and environment.",
    sql: `
      SELECT merchant_id, environment, id AS audit_id, action, object_id AS intent_id FROM audit_entry c
      WHERE split_part(action, '.', 1) IN ('payment_intent', 'payout_intent', 'topup_intent')
        AND NOT ${hasIntent("object_id", `${SAME_ENVIRONMENT} AND i.kind = split_part(c.action, '.', 1)`)}`,
    needs: ["audit_entry"],
  },
  {
    name: "idempotency_key_belongs_to_its_api_key",
    guarantee:
      "An idempotency key, its API key and its object belong to one merchant, and the object to the API key's environment.",
    sql: `
      SELECT c.merchant_id, c.api_key_id, c.key, c.object_id, a.merchant_id AS api_key_merchant_id, a.environment,
             i.merchant_id AS object_merchant_id, i.environment AS object_environment
      FROM idempotency_key c
      LEFT JOIN api_key a ON a.id = c.api_key_id
      LEFT JOIN ${INTENTS} i ON i.id = c.object_id
      WHERE a.merchant_id <> c.merchant_id OR i.merchant_id <> c.merchant_id OR a.environment <> i.environment`,
    needs: ["idempotency_key WHERE object_id IS NOT NULL", "api_key"],
  },
];
