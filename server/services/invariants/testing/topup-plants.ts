// Planted violations of top-ups and suspense: funds that no policy, term or decision explains.
import { book, one, type Plant } from "./plant";

const OVERPAID = "status = 'succeeded' AND overpayment = 'hold' AND received_amount > source_amount";

export const TOPUP_PLANTS: readonly Plant[] = [
  ...["absorbed", "added", "deducted"].flatMap((mode) => [
    {
      what: `a top-up credited with its fee ${mode} that received more`,
      breaks: ["topup_is_credited_once_succeeded"],
      sql: `UPDATE topup_intent SET received_amount = received_amount * 2
            WHERE ${one("topup_intent", `status = 'succeeded' AND overpayment = 'credit_actual' AND fee_mode = '${mode}'`)}`,
    },
  ]),
  {
    what: "an overpaid top-up that should have been credited whole",
    breaks: ["topup_is_credited_once_succeeded", "topup_rest_is_in_suspense"],
    sql: `UPDATE topup_intent SET overpayment = 'credit_actual' WHERE ${one("topup_intent", OVERPAID)}`,
  },
  {
    what: "an overpaid top-up of which more was received than is in the books",
    breaks: ["topup_rest_is_in_suspense"],
    sql: `UPDATE topup_intent SET received_amount = received_amount * 2 WHERE ${one("topup_intent", OVERPAID)}`,
  },
  {
    what: "a part payment of a failed top-up that went nowhere",
    breaks: ["topup_rest_is_in_suspense"],
    sql: `UPDATE topup_intent SET received_amount = source_amount WHERE ${one("topup_intent", "failure_code = 'provider_declined'")}`,
  },
  {
    what: "late funds that were kept although their policy credits them",
    breaks: ["topup_money_is_shared_out_on_its_terms"],
    sql: `UPDATE topup_intent SET late_payment = 'credit_actual' WHERE ${one(
      "topup_intent",
      "EXISTS (SELECT FROM ledger_transaction t WHERE t.intent_id = topup_intent.id AND t.reason = 'late_money') AND late_payment = 'hold'",
    )}`,
  },
  {
    what: "late funds that were credited although their policy keeps them",
    breaks: ["topup_money_is_shared_out_on_its_terms"],
    sql: book(
      "topup_intent",
      "status = 'expired' AND late_payment = 'hold'",
      "late_money",
      "provider_clearing:sandbox",
      "available",
    ),
  },
];

const REPORTED = "reported_amount > 0 AND NOT EXISTS (SELECT FROM topup_total t WHERE t.intent_id = topup_intent.id)";

export const REPORTS: readonly Plant[] = [
  {
    what: "a top-up that is booked beyond what its provider reported",
    breaks: ["topup_is_booked_within_its_reports"],
    sql: `UPDATE topup_intent SET reported_amount = 1 WHERE ${one("topup_intent", `status = 'succeeded' AND ${REPORTED}`)}`,
  },
  {
    what: "late funds of a top-up that are booked beyond what its provider reported",
    breaks: ["topup_is_booked_within_its_reports"],
    sql: `UPDATE topup_total SET reported_amount = base_amount
          WHERE ${one("topup_total", "EXISTS (SELECT FROM ledger_transaction t WHERE t.unique_key = 'topup_late:' || intent_id || ':' || ordinal)")}`,
  },
];

/** Exceptions of late money that nobody has decided on, nor proposed to refund. */
const UNDECIDED = `kind = 'late_money' AND settled_as IS NULL
  AND NOT EXISTS (SELECT FROM suspense_refund r WHERE r.exception_id = exception.id)`;

export const SUSPENSE: readonly Plant[] = [
  {
    what: "money in suspense that nobody is told of",
    breaks: ["suspense_has_its_exception"],
    sql: `DELETE FROM exception WHERE ${UNDECIDED}`,
  },
  {
    what: "a booking into suspense without an exception",
    breaks: ["suspense_has_its_exception"],
    sql: book("payment_intent", "status = 'expired'", "late_money", "provider_clearing:sandbox", "suspense"),
  },
  {
    what: "a decision that moved no money",
    breaks: ["suspense_is_left_as_decided", "decision_has_its_audit_entry"],
    sql: `UPDATE exception SET settled_as = 'refund', resolution = 'Done.', resolved_at = now(), resolved_by_type = 'worker',
            resolved_by_id = 'worker' WHERE ${UNDECIDED}`,
  },
  {
    what: "an exception closed over money that stayed",
    breaks: ["suspense_is_left_as_decided", "decision_has_its_audit_entry"],
    sql: `UPDATE exception SET resolution = 'Done.', resolved_at = now(), resolved_by_type = 'worker', resolved_by_id = 'worker'
          WHERE ${UNDECIDED}`,
  },
  {
    what: "money that left suspense twice",
    breaks: ["suspense_is_left_as_decided"],
    sql: book("payment_intent", "status = 'expired'", "suspense_settlement", "suspense", "provider_clearing:sandbox"),
  },
  {
    what: "money that left suspense by nobody's decision",
    breaks: ["suspense_is_left_as_decided"],
    sql: `UPDATE exception SET settled_as = NULL
          WHERE settled_as IS NOT NULL AND NOT EXISTS (SELECT FROM suspense_refund r WHERE r.exception_id = exception.id)`,
  },
];
