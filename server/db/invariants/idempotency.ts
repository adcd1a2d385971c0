// Invariants of idempotency (interface §8): claims and stored answers.
import { ERROR_STATUS } from "@/server/domain/errors";
import type { Invariant } from "./invariant";

/** Keys live for 24 hours; the worker deletes older ones every minute. */
const REAPED_WITHIN = "interval '24 hours 10 minutes'";

/** The longest configurable lease, with a margin for clocks. */
const LONGEST_LEASE = "interval '24 hours 1 minute'";

/** Successes, and the rejections that are outcomes of an execution. */
const OUTCOMES = [
  200,
  201,
  202,
  ERROR_STATUS.duplicate_merchant_reference,
  ERROR_STATUS.approval_required,
  ERROR_STATUS.insufficient_balance,
  ERROR_STATUS.payout_limit_exceeded,
];

export const IDEMPOTENCY_INVARIANTS: readonly Invariant[] = [
  {
    name: "stored_answer_has_its_key",
    guarantee: "Every stored answer belongs to an idempotency key.",
    sql: `
      SELECT s.merchant_id, s.api_key_id, s.key, s.status, s.created_at
      FROM idempotency_seal s LEFT JOIN idempotency_key k USING (merchant_id, api_key_id, key)
      WHERE k.key IS NULL`,
    needs: ["idempotency_seal"],
  },
  {
    name: "stored_answer_is_an_outcome",
    guarantee:
      "A stored answer has a body and results from an execution: it is neither a server error (5xx) nor an earlier rejection.",
    sql: `
      SELECT merchant_id, api_key_id, key, status, octet_length(body) AS body_bytes, created_at
      FROM idempotency_seal
      WHERE status NOT IN (${OUTCOMES.join(", ")}) OR body = ''`,
    needs: ["idempotency_seal"],
  },
  {
    name: "idempotency_key_is_let_go",
    guarantee: "No idempotency key outlives its 24 hours, and no unanswered key has a lease longer than the maximum.",
    sql: `
      SELECT merchant_id, api_key_id, key, object_id, k.created_at, lease_until, s.key IS NOT NULL AS answered
      FROM idempotency_key k LEFT JOIN idempotency_seal s USING (merchant_id, api_key_id, key)
      WHERE k.created_at < now() - ${REAPED_WITHIN} OR (s.key IS NULL AND lease_until > now() + ${LONGEST_LEASE})`,
    needs: ["idempotency_key"],
  },
];
