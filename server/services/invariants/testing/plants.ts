// The planted violations: each bypasses all guards of the database and lists the invariants that it breaks.
import { DELIVERIES } from "./delivery-plants";

import { book, one, type Plant } from "./plant";
import { REFUNDS } from "./refund-plants";
import { REPORTS, SUSPENSE, TOPUP_PLANTS } from "./topup-plants";
import { TWO_PEOPLE } from "./two-people-plants";

const HAS_ATTEMPT = "EXISTS (SELECT FROM provider_attempt t WHERE t.intent_id = payout_intent.id)";
const APPROVED = (dispatched: boolean) =>
  `payout_id IN (SELECT id FROM payout_intent WHERE status <> 'requires_approval' AND ${dispatched ? "" : "NOT "}${HAS_ATTEMPT})`;
const SECOND_CHANGE = "action LIKE 'payment_intent.%' AND after->>'revision' = '1'";
const HAS_THIRD = `${SECOND_CHANGE} AND EXISTS (
  SELECT FROM audit_entry later WHERE later.object_id = audit_entry.object_id AND later.after->>'revision' = '2')`;

/** Intents whose end is above its merchant's mark: the overview still counts it from its audit entry and its event. */
const UNCOUNTED = `(
  SELECT a.object_id FROM audit_entry a
  LEFT JOIN audit_link l ON l.merchant_id = a.merchant_id AND l.entry_id = a.id
  LEFT JOIN figure_mark m ON m.merchant_id = a.merchant_id
  WHERE a.after ? 'status' AND (l.sequence IS NULL OR l.sequence > coalesce(m.last_sequence, 0)))`;

const attemptOn = (status: string) =>
  `INSERT INTO provider_attempt (merchant_id, id, environment, intent_id, ordinal, provider, state, started_at)
   SELECT merchant_id, 'att_planted', environment, id, 9, provider, 'started', now()
   FROM payout_intent WHERE status = '${status}' LIMIT 1`;

const eventOn = (table: string, status: string, condition = "true") =>
  `INSERT INTO event (merchant_id, id, environment, type, intent_id, status, failure_code, failure_message, created_at, body)
   SELECT merchant_id, 'evt_planted', environment, '${table}.' || status, id, status, failure_code, failure_message, now(), '{}'
   FROM ${table} WHERE status = '${status}' AND ${condition} LIMIT 1`;

const LEDGER: readonly Plant[] = [
  {
    what: "an entry that is one unit larger",
    breaks: ["ledger_transaction_balances", "ledger_book_balances", "ledger_balance_is_sum_of_entries"],
    sql: `UPDATE ledger_entry SET amount = amount + 1 WHERE ${one("ledger_entry", "kind = 'provider_clearing:sandbox'")}`,
  },
  {
    what: "a transaction without entries",
    breaks: ["ledger_transaction_balances"],
    sql: `INSERT INTO ledger_transaction SELECT merchant_id, 'ltx_planted', 'test', 'funding', 'planted', NULL, now()
          FROM ledger_transaction LIMIT 1`,
  },
  {
    what: "a unit out of nowhere in a stored balance",
    breaks: ["ledger_book_balances", "ledger_balance_is_sum_of_entries"],
    sql: `UPDATE ledger_account SET balance = balance + 1 WHERE ${one("ledger_account", "kind = 'fees'")}`,
  },
  {
    what: "a unit moved between two stored balances",
    breaks: ["ledger_balance_is_sum_of_entries"],
    sql: `UPDATE ledger_account SET balance = balance + CASE kind WHEN 'suspense' THEN 1 ELSE -1 END
          WHERE environment = 'test' AND currency = 'MXN' AND kind IN ('suspense', 'available')`,
  },
  {
    what: "an account that is gone, with its entries left",
    breaks: ["ledger_balance_is_sum_of_entries", "ledger_book_balances", "ledger_entries_numbered_without_gap"],
    sql: `DELETE FROM ledger_account WHERE ${one("ledger_account", "kind = 'available' AND last_sequence > 0")}`,
  },
  {
    what: "a number that no entry has",
    breaks: ["ledger_entries_numbered_without_gap"],
    sql: `UPDATE ledger_account SET last_sequence = last_sequence + 1 WHERE ${one("ledger_account", "kind = 'held'")}`,
  },
  {
    what: "a number left out",
    breaks: ["ledger_entries_numbered_without_gap"],
    sql: `UPDATE ledger_entry SET sequence = 1000 WHERE ${one("ledger_entry", "kind = 'funding'")}`,
  },
  {
    what: "a wallet's entries in an order that spends before it has",
    breaks: ["ledger_wallet_never_negative"],
    sql: `CREATE TEMP TABLE spent ON COMMIT DROP AS SELECT * FROM ledger_entry e WHERE kind = 'held' AND amount < 0
            AND sequence = (SELECT last_sequence FROM ledger_account a WHERE (a.merchant_id, a.environment, a.currency, a.kind)
                            = (e.merchant_id, e.environment, e.currency, e.kind)) LIMIT 1;
          UPDATE ledger_entry e SET sequence = -e.sequence FROM spent s
            WHERE (e.merchant_id, e.environment, e.currency, e.kind) = (s.merchant_id, s.environment, s.currency, 'held');
          UPDATE ledger_entry e SET sequence = e.sequence + s.sequence + 1 FROM spent s
            WHERE (e.merchant_id, e.environment, e.currency, e.kind) = (s.merchant_id, s.environment, s.currency, 'held')`,
  },
  {
    what: "a transaction said to be live, with entries in test",
    breaks: ["ledger_transaction_has_one_currency_and_environment"],
    sql: `UPDATE ledger_transaction SET environment = 'live'
          WHERE ${one("ledger_transaction", "reason = 'funding' AND environment = 'test'")}`,
  },
  {
    what: "a transaction in two currencies",
    breaks: ["ledger_transaction_has_one_currency_and_environment"],
    sql: `CREATE TEMP TABLE pair ON COMMIT DROP AS SELECT merchant_id, min(id) AS kept, max(id) AS merged FROM ledger_transaction
            WHERE reason = 'funding' AND environment = 'test' GROUP BY 1 HAVING count(*) > 1 LIMIT 1;
          UPDATE ledger_entry SET transaction_id = kept FROM pair WHERE transaction_id = merged;
          DELETE FROM ledger_transaction USING pair WHERE id = merged`,
  },
];

const CLEARING: readonly Plant[] = [
  {
    what: "a payment cleared through a provider that never had it",
    breaks: [
      "clearing_is_kept_per_provider",
      "ledger_balance_is_sum_of_entries",
      "ledger_entries_numbered_without_gap",
    ],
    sql: `UPDATE ledger_entry SET kind = 'provider_clearing:stranger'
          WHERE ${one("ledger_entry", "kind = 'provider_clearing:sandbox'")}`,
  },
  {
    what: "money left in the undivided clearing account",
    breaks: ["clearing_is_kept_per_provider"],
    sql: `SELECT plant_booking(merchant_id, environment, currency, id, 'provider_fee', 'fees', 'provider_clearing', 1)
          FROM payment_intent LIMIT 1`,
  },
];

const MONEY: readonly Plant[] = [
  {
    what: "a payment that is credited twice",
    breaks: ["payment_is_credited_once_succeeded"],
    sql: book(
      "payment_intent",
      "status = 'succeeded'",
      "payment_credit",
      "provider_clearing:sandbox",
      "available",
      "amount",
    ),
  },
  {
    what: "an expired payment that is credited",
    breaks: ["payment_is_credited_once_succeeded"],
    sql: book(
      "payment_intent",
      "status = 'expired'",
      "payment_credit",
      "provider_clearing:sandbox",
      "available",
      "amount",
    ),
  },
  {
    what: "late money that reaches the wallet instead of suspense",
    breaks: ["payment_is_credited_once_succeeded"],
    sql: book("payment_intent", "status = 'failed'", "late_money", "provider_clearing:sandbox", "available"),
  },
  {
    what: "a credit in another currency than the payment's",
    breaks: ["payment_is_credited_once_succeeded"],
    sql: `SELECT plant_booking(merchant_id, environment, 'USDT', id, 'late_money', 'provider_clearing:sandbox', 'available', 1),
                 plant_booking(merchant_id, environment, 'USDT', id, 'amount_mismatch', 'available', 'funding', 1)
          FROM payment_intent WHERE currency = 'MXN' LIMIT 1`,
  },
  {
    what: "a payout at the gate that holds more than its amount",
    breaks: ["payout_holds_its_amount_until_its_end", "held_funds_are_open_payouts"],
    sql: book("payout_intent", "status = 'requires_approval'", "amount_mismatch", "funding", "held"),
  },
  {
    what: "a settled payout that holds something still",
    breaks: ["payout_holds_its_amount_until_its_end", "held_funds_are_open_payouts"],
    sql: book("payout_intent", "status = 'succeeded'", "amount_mismatch", "funding", "held"),
  },
  {
    what: "held money that no payout asks for",
    breaks: ["held_funds_are_open_payouts"],
    sql: `SELECT plant_booking(merchant_id, environment, currency, NULL, 'funding', 'funding', 'held', 1)
          FROM payout_intent LIMIT 1`,
  },
  {
    what: "a payout that is settled twice",
    breaks: ["payout_is_settled_or_released_once"],
    sql: book(
      "payout_intent",
      "status = 'succeeded'",
      "payout_settlement",
      "funding",
      "provider_clearing:sandbox",
      "amount",
    ),
  },
  {
    what: "a payout of which more came back than had left",
    breaks: ["payout_is_settled_or_released_once"],
    sql: book("payout_intent", "status = 'succeeded'", "bank_return", "funding", "available", "amount + 1"),
  },
  {
    what: "a failed payout that is given back twice",
    breaks: ["payout_is_settled_or_released_once"],
    sql: book("payout_intent", "status = 'failed'", "payout_release", "funding", "available", "amount"),
  },
  {
    what: "a payout that never took its amount from the wallet",
    breaks: ["payout_is_settled_or_released_once", "payout_holds_its_amount_until_its_end"],
    sql: `UPDATE ledger_transaction SET reason = 'funding', intent_id = NULL
          WHERE ${one("ledger_transaction", "intent_id IN (SELECT id FROM payout_intent WHERE status = 'requires_approval')")}`,
  },
  {
    what: "a top-up that received more than it was credited for",
    breaks: ["topup_is_credited_once_succeeded"],
    sql: `UPDATE topup_intent SET received_amount = received_amount * 2
          WHERE ${one("topup_intent", "status = 'succeeded' AND overpayment = 'credit_actual'")}`,
  },
  {
    what: "a top-up that says it was credited one unit more",
    breaks: ["topup_is_credited_once_succeeded"],
    sql: `UPDATE topup_intent SET credited_amount = credited_amount + 1
          WHERE ${one("topup_intent", "status = 'succeeded'")}`,
  },
  {
    what: "an expired top-up that is credited",
    breaks: ["topup_is_credited_once_succeeded"],
    sql: book("topup_intent", "status = 'expired'", "topup_credit", "provider_clearing:sandbox", "available"),
  },
];

const APPROVALS: readonly Plant[] = [
  {
    what: "an approval that came after the dispatch",
    breaks: ["payout_approved_before_dispatch"],
    sql: `UPDATE approval SET created_at = created_at + interval '1 minute' WHERE ${one("approval", APPROVED(true))}`,
  },
  {
    what: "a dispatch at the gate",
    breaks: ["payout_approved_before_dispatch"],
    sql: attemptOn("requires_approval"),
  },
  {
    what: "a dispatched payout with too few approvals",
    breaks: ["payout_approved_before_dispatch", "payout_past_the_gate_is_approved"],
    sql: `UPDATE payout_intent SET approvals_required = 2
          WHERE ${one("payout_intent", `status = 'succeeded' AND ${HAS_ATTEMPT}`)}`,
  },
  {
    what: "a payout past the gate without approval",
    breaks: ["payout_past_the_gate_is_approved", "approvals_are_counted"],
    sql: `DELETE FROM approval WHERE ${one("approval", APPROVED(false))}`,
  },
  {
    what: "a payout approved by its maker alone",
    breaks: ["approval_by_another_person", "payout_past_the_gate_is_approved", "approvals_are_counted"],
    sql: `UPDATE payout_intent p SET created_by_type = 'member', created_by_id = v.member_id
          FROM approval v WHERE v.payout_id = p.id AND v.${one("approval", APPROVED(false))}`,
  },
  {
    what: "an approval by the maker at the gate",
    breaks: ["approval_by_another_person"],
    sql: `INSERT INTO approval SELECT merchant_id, id, created_by_id, 'digest', now(), 0, policy_version
          FROM payout_intent WHERE status = 'requires_approval' AND created_by_type = 'member' LIMIT 1`,
  },
  {
    what: "a payout whose key's creator is not among its makers",
    breaks: ["key_makers_make_its_payouts"],
    sql: `UPDATE payout_intent SET makers = '{}'
          WHERE ${one("payout_intent", "created_by_type = 'api_key' AND cardinality(makers) > 0")}`,
  },
  {
    what: "a payout at the gate that counts an approval too many",
    breaks: ["approvals_are_counted"],
    sql: `UPDATE payout_intent SET approvals_given = approvals_given + 1
          WHERE ${one("payout_intent", "status = 'requires_approval'")}`,
  },
  {
    what: "an approval under another policy than the payout's",
    breaks: ["approval_is_under_the_payouts_policy"],
    sql: `UPDATE approval SET policy_version = policy_version + 1 WHERE ${one("approval", APPROVED(true))}`,
  },
  {
    what: "a payout under a policy that nobody put into effect",
    breaks: ["payout_names_a_policy_that_held"],
    sql: `UPDATE payout_intent SET policy_version = 99
          WHERE ${one("payout_intent", "status = 'requires_approval' AND approvals_given = 0")}`,
  },
  {
    what: "a merchant without an active policy",
    breaks: ["merchant_has_one_active_policy"],
    sql: `UPDATE approval_policy SET state = 'superseded' WHERE ${one("approval_policy", "state = 'active' AND version = 1")}`,
  },
  {
    what: "two active policies",
    breaks: ["merchant_has_one_active_policy"],
    sql: `UPDATE approval_policy SET state = 'active' WHERE ${one("approval_policy", "state = 'superseded'")}`,
  },
  {
    what: "a policy that one person put into effect alone",
    breaks: ["policy_took_two_people"],
    sql: `UPDATE approval_policy SET decided_by_id = proposed_by_id
          WHERE ${one("approval_policy", "state = 'active' AND version > 1")}`,
  },
  {
    what: "a cancelled payout that was dispatched",
    breaks: ["cancelled_payout_was_never_dispatched", "payout_approved_before_dispatch"],
    sql: attemptOn("cancelled"),
  },
  {
    what: "a cancelled payout that tells another failure, and so does its event",
    breaks: ["cancelled_payout_was_never_dispatched", "history_ends_at_the_present", "figures_are_the_ends"],
    sql: `UPDATE payout_intent SET failure_code = 'provider_declined' WHERE ${one("payout_intent", `status = 'cancelled' AND id NOT IN ${UNCOUNTED}`)};
          UPDATE event SET failure_code = 'provider_declined'
          WHERE intent_id IN (SELECT id FROM payout_intent WHERE status = 'cancelled' AND failure_code <> 'cancelled')`,
  },
];

const EVENTS: readonly Plant[] = [
  {
    what: "an end without an event",
    breaks: ["one_event_per_terminal_intent", "figures_are_the_ends"],
    sql: `DELETE FROM event WHERE ${one("event", `intent_id NOT IN ${UNCOUNTED}`)}`,
  },
  {
    what: "a second event of an end that the figures count",
    breaks: ["one_event_per_terminal_intent", "figures_are_the_ends"],
    sql: eventOn("payout_intent", "succeeded", `id NOT IN ${UNCOUNTED}`),
  },
  {
    what: "a second event of an end that the figures do not count yet",
    breaks: ["one_event_per_terminal_intent"],
    sql: eventOn("payout_intent", "succeeded", `id IN ${UNCOUNTED}`),
  },
  {
    what: "an event before the end",
    breaks: ["one_event_per_terminal_intent", "figures_are_the_ends"],
    sql: eventOn("payment_intent", "requires_action"),
  },
  {
    what: "an event of a top-up",
    breaks: ["one_event_per_terminal_intent"],
    sql: eventOn("topup_intent", "succeeded"),
  },
  {
    what: "an event of another type",
    breaks: ["event_tells_what_the_intent_tells"],
    sql: `UPDATE event SET type = 'payment_intent.expired' WHERE ${one("event", "type = 'payment_intent.failed'")}`,
  },
  {
    what: "an event that tells another reason",
    breaks: ["event_tells_what_the_intent_tells"],
    sql: `UPDATE event SET failure_message = 'Otherwise.' WHERE ${one("event", "status = 'cancelled'")}`,
  },
];

const FIGURES: readonly Plant[] = [
  {
    what: "an end that is counted twice in an hour",
    breaks: ["figures_are_the_ends"],
    sql: `UPDATE intent_figure SET count = count + 1 WHERE ${one("intent_figure", "minutes = 60")}`,
  },
  {
    what: "an amount that is a unit too small in a quarter of an hour",
    breaks: ["figures_are_the_ends"],
    sql: `UPDATE intent_figure SET amount = amount - 1 WHERE ${one("intent_figure", "minutes = 15")}`,
  },
  {
    what: "figures under another currency",
    breaks: ["figures_are_the_ends"],
    sql: `UPDATE intent_figure SET currency = 'XXX' WHERE ${one("intent_figure", "true")}`,
  },
  {
    what: "figures that are gone",
    breaks: ["figures_are_the_ends"],
    sql: `DELETE FROM intent_figure WHERE ${one("intent_figure", "true")}`,
  },
  {
    what: "a mark that was moved past ends without adding them up",
    breaks: ["figures_are_the_ends"],
    sql: `UPDATE figure_mark m SET last_sequence = c.last_sequence FROM audit_chain c
          WHERE c.merchant_id = m.merchant_id AND c.last_sequence > m.last_sequence`,
  },
  {
    what: "a mark that was moved back",
    breaks: ["figures_are_the_ends"],
    sql: "UPDATE figure_mark SET last_sequence = 1",
  },
];

const INTENTS: readonly Plant[] = [
  {
    what: "two payments under one reference",
    breaks: ["merchant_reference_is_unique"],
    sql: `UPDATE payment_intent p SET merchant_reference = other.merchant_reference FROM payment_intent other
          WHERE other.merchant_id = p.merchant_id AND other.merchant_reference = 'demo-order-001'
            AND p.merchant_reference = 'demo-order-002'`,
  },
  {
    what: "one transfer of a provider for two intents",
    breaks: ["provider_reference_names_one_intent"],
    sql: `UPDATE provider_attempt SET provider_reference = 'sbx_planted'
          WHERE intent_id IN (SELECT intent_id FROM provider_attempt WHERE provider_reference IS NOT NULL LIMIT 2)`,
  },
  {
    what: "a change that the audit lacks",
    breaks: ["history_is_contiguous", "audit_entry_is_linked_or_queued"],
    sql: `DELETE FROM audit_entry WHERE ${one("audit_entry", HAS_THIRD)}`,
  },
  {
    what: "a change that the audit tells twice",
    breaks: ["history_is_contiguous", "audit_entry_is_linked_or_queued"],
    sql: `INSERT INTO audit_entry SELECT merchant_id, 'aud_planted', environment, actor_type, actor_id, action, object_id, before, after
            , reason, request_id, address, created_at FROM audit_entry WHERE ${SECOND_CHANGE} LIMIT 1`,
  },
  {
    what: "a change under another name",
    breaks: ["history_is_legal"],
    sql: `UPDATE audit_entry SET action = 'payout_intent.lapse'
          WHERE ${one("audit_entry", "action = 'payout_intent.approve'")}`,
  },
  {
    what: "a failed payment that goes on",
    breaks: [
      "history_is_legal",
      "one_event_per_terminal_intent",
      "event_tells_what_the_intent_tells",
      "audit_entry_is_linked_or_queued",
    ],
    sql: `CREATE TEMP TABLE risen ON COMMIT DROP AS SELECT * FROM payment_intent WHERE status = 'failed' LIMIT 1;
          INSERT INTO audit_entry (merchant_id, id, environment, actor_type, actor_id, action, object_id, before, after, created_at)
            SELECT r.merchant_id, 'aud_planted', r.environment, 'worker', 'worker', 'payment_intent.provider_pending', r.id, a.after,
                   jsonb_build_object('status', 'processing', 'revision', r.revision + 1, 'failure', null), r.updated_at
            FROM risen r JOIN audit_entry a ON a.object_id = r.id AND a.after->>'revision' = r.revision::text;
          UPDATE payment_intent p SET status = 'processing', revision = p.revision + 1, failure_code = NULL,
                 failure_message = NULL, due_at = now() FROM risen r WHERE p.id = r.id`,
  },
  {
    what: "a revision that nothing explains",
    breaks: ["history_ends_at_the_present"],
    sql: `UPDATE payment_intent SET revision = revision + 1 WHERE ${one("payment_intent", "true")}`,
  },
  {
    what: "a status that nothing explains",
    breaks: ["history_ends_at_the_present"],
    sql: `UPDATE topup_intent SET status = 'processing' WHERE ${one("topup_intent", "status = 'requires_payment'")}`,
  },
  {
    what: "an intent without any history",
    breaks: ["history_ends_at_the_present", "audit_entry_is_linked_or_queued"],
    sql: `DELETE FROM audit_entry WHERE object_id = (SELECT id FROM topup_intent LIMIT 1) AND action LIKE 'topup_intent.%'`,
  },
  {
    what: "an audit entry that is no state at all",
    breaks: ["history_is_contiguous", "history_is_legal", "history_ends_at_the_present"],
    sql: `UPDATE audit_entry SET after = '{"revision": "x"}'
          WHERE ${one("audit_entry", `${SECOND_CHANGE} AND object_id IN (SELECT id FROM payment_intent WHERE revision = 1)`)}`,
  },
];

const AUDIT: readonly Plant[] = [
  {
    what: "an audit entry that is neither linked nor queued",
    breaks: ["audit_entry_is_linked_or_queued"],
    sql: `DELETE FROM audit_pending WHERE ${one("audit_pending", `entry_id IN (SELECT id FROM audit_entry WHERE NOT after ? 'status')`)}`,
  },
  {
    what: "an ended payment's audit entry that is neither linked nor queued",
    breaks: ["audit_entry_is_linked_or_queued", "figures_are_the_ends"],
    sql: `DELETE FROM audit_pending WHERE ${one("audit_pending", `entry_id IN (SELECT id FROM audit_entry WHERE after->>'status' IN ('succeeded', 'settled', 'failed', 'cancelled'))`)}`,
  },
  {
    what: "an audit entry that is linked and queued",
    breaks: ["audit_entry_is_linked_or_queued"],
    sql: "INSERT INTO audit_pending (merchant_id, entry_id) SELECT merchant_id, entry_id FROM audit_link LIMIT 1",
  },
  {
    what: "a link whose entry is gone",
    breaks: ["audit_entry_is_linked_or_queued"],
    sql: `DELETE FROM audit_entry WHERE action NOT LIKE '%\\_intent.%' AND id = (
            SELECT entry_id FROM audit_link l JOIN audit_entry e ON e.id = l.entry_id
            WHERE e.action NOT LIKE '%\\_intent.%' LIMIT 1)`,
  },
  {
    what: "a chain without its newest link, the entry queued again",
    breaks: ["audit_chain_is_numbered_without_gap"],
    sql: `INSERT INTO audit_pending (merchant_id, entry_id) SELECT l.merchant_id, entry_id FROM audit_link l
            JOIN audit_chain c ON c.merchant_id = l.merchant_id AND c.last_sequence = l.sequence;
          DELETE FROM audit_link l USING audit_chain c WHERE c.merchant_id = l.merchant_id AND c.last_sequence = l.sequence`,
  },
  {
    what: "a chain that ends with another hash than its last link",
    breaks: ["audit_chain_is_numbered_without_gap"],
    sql: `UPDATE audit_chain SET last_hash = repeat('0', 64) WHERE ${one("audit_chain", "true")}`,
  },
  {
    what: "a chain that is gone",
    breaks: ["audit_chain_is_numbered_without_gap", "figures_are_the_ends"],
    sql: `DELETE FROM audit_chain WHERE ${one("audit_chain", "last_sequence > (SELECT last_sequence FROM figure_mark m WHERE m.merchant_id = audit_chain.merchant_id)")}`,
  },
];

const IDEMPOTENCY: readonly Plant[] = [
  {
    what: "an answer without a key",
    breaks: ["stored_answer_has_its_key"],
    sql: `INSERT INTO idempotency_seal SELECT merchant_id, api_key_id, 'planted', 200, '{}' FROM idempotency_seal LIMIT 1`,
  },
  ...["status = 500", "status = 429", "body = ''"].map((change) => ({
    what: `an answer with ${change}`,
    breaks: ["stored_answer_is_an_outcome"],
    sql: `UPDATE idempotency_seal SET ${change} WHERE ${one("idempotency_seal", "true")}`,
  })),
  {
    what: "a key older than its lifetime",
    breaks: ["idempotency_key_is_let_go"],
    sql: `UPDATE idempotency_key SET created_at = now() - interval '24 hours 11 minutes'
          WHERE ${one("idempotency_key", "true")}`,
  },
  {
    what: "a key without answer that nobody can take over",
    breaks: ["idempotency_key_is_let_go"],
    sql: `DELETE FROM idempotency_seal WHERE key = 'create';
          UPDATE idempotency_key SET lease_until = now() + interval '3 days' WHERE key = 'create'`,
  },
];

const TENANCY: readonly Plant[] = [
  {
    what: "a call in another environment than its intent",
    breaks: ["attempt_belongs_to_its_intent"],
    sql: `UPDATE provider_attempt SET environment = 'live' WHERE ${one("provider_attempt", "intent_id LIKE 'dord_%'")}`,
  },
  {
    what: "a call about another merchant's intent",
    breaks: ["attempt_belongs_to_its_intent"],
    sql: `UPDATE provider_attempt SET merchant_id = 'mer_planted' WHERE ${one("provider_attempt", "intent_id LIKE 'dord_%'")}`,
  },
  {
    what: "an approval of another merchant's payout",
    breaks: ["approval_belongs_to_its_payout"],
    sql: `INSERT INTO approval SELECT 'mer_planted', payout_id, member_id, digest, created_at, revision, policy_version
          FROM approval LIMIT 1`,
  },
  {
    what: "an event in another environment than its intent",
    breaks: ["event_belongs_to_its_intent", "figures_are_the_ends"],
    sql: `UPDATE event SET environment = 'live' WHERE ${one("event", `intent_id NOT IN ${UNCOUNTED}`)}`,
  },
  {
    what: "an event about nothing",
    breaks: ["event_belongs_to_its_intent"],
    sql: `INSERT INTO event SELECT merchant_id, 'evt_planted', 'test', type, 'dord_nobody', status, failure_code, failure_message, now(), body
          FROM event LIMIT 1`,
  },
  {
    what: "money about an intent that is not there",
    breaks: ["ledger_transaction_belongs_to_its_intent"],
    sql: `SELECT plant_booking(merchant_id, environment, currency, 'dord_nobody', 'late_money', 'provider_clearing:sandbox', 'fees', 1)
          FROM payment_intent LIMIT 1`,
  },
  {
    what: "money about no intent, for a reason that needs one",
    breaks: ["ledger_transaction_belongs_to_its_intent"],
    sql: `SELECT plant_booking(merchant_id, environment, currency, NULL, 'late_money', 'provider_clearing:sandbox', 'fees', 1)
          FROM payment_intent LIMIT 1`,
  },
  {
    what: "entries whose transaction is gone",
    breaks: ["ledger_entry_belongs_to_its_transaction"],
    sql: `DELETE FROM ledger_transaction WHERE ${one("ledger_transaction", "reason = 'funding'")}`,
  },
  {
    what: "a change audited in another environment",
    breaks: ["audited_change_belongs_to_its_intent"],
    sql: `UPDATE audit_entry SET environment = 'live' WHERE ${one("audit_entry", SECOND_CHANGE)}`,
  },
  {
    what: "a change audited of another kind of intent",
    breaks: ["audited_change_belongs_to_its_intent", "history_is_contiguous"],
    sql: `UPDATE audit_entry SET action = 'topup_intent.expire' WHERE ${one("audit_entry", HAS_THIRD)}`,
  },
  {
    what: "a key whose object is another merchant's",
    breaks: ["idempotency_key_belongs_to_its_api_key"],
    sql: `UPDATE idempotency_key k SET object_id = p.id FROM payment_intent p
          WHERE k.key = 'create' AND p.merchant_id <> k.merchant_id`,
  },
  {
    what: "a key whose object is in the other environment",
    breaks: ["idempotency_key_belongs_to_its_api_key"],
    sql: `UPDATE api_key SET environment = 'live'`,
  },
  {
    what: "a key under another merchant's API key",
    breaks: ["idempotency_key_belongs_to_its_api_key"],
    sql: `UPDATE api_key SET merchant_id = 'mer_planted'`,
  },
];

const TIME: readonly Plant[] = [
  {
    what: "an intent updated before it was created",
    breaks: ["intent_time_runs_forward", "history_time_runs_forward"],
    sql: `UPDATE payment_intent SET updated_at = created_at - interval '1 hour' WHERE ${one("payment_intent", "true")}`,
  },
  {
    what: "a change before the one that it follows",
    breaks: ["history_time_runs_forward"],
    sql: `UPDATE audit_entry SET created_at = created_at - interval '1 hour' WHERE ${one("audit_entry", SECOND_CHANGE)}`,
  },
  {
    what: "a change after the last update",
    breaks: ["history_time_runs_forward"],
    sql: `UPDATE audit_entry SET created_at = created_at + interval '1 hour' WHERE ${one("audit_entry", "action = 'topup_intent.expire'")}`,
  },
];

const LIVENESS: readonly Plant[] = [
  {
    what: "an open payment that nobody will look at",
    breaks: ["open_intent_has_a_due_time"],
    sql: `UPDATE payment_intent SET due_at = NULL WHERE ${one("payment_intent", "status = 'processing'")}`,
  },
  {
    what: "a terminal payout that is due",
    breaks: ["open_intent_has_a_due_time"],
    sql: `UPDATE payout_intent SET due_at = now() WHERE ${one("payout_intent", "status = 'failed'")}`,
  },
  {
    what: "an intent that is overdue",
    breaks: ["no_intent_is_overdue"],
    sql: `UPDATE topup_intent SET due_at = now() - interval '61 seconds' WHERE ${one("topup_intent", "status = 'processing'")}`,
  },
  {
    what: "an intent that is due for a while",
    breaks: [],
    sql: `UPDATE topup_intent SET due_at = now() - interval '59 seconds' WHERE ${one("topup_intent", "status = 'processing'")}`,
  },
  {
    what: "an audit entry that waits for its link",
    breaks: ["no_audit_entry_waits_long"],
    sql: `UPDATE audit_pending SET queued_at = now() - interval '61 seconds' WHERE ${one("audit_pending", "true")}`,
  },
  {
    what: "a callback that nobody will apply",
    breaks: ["callback_is_applied_or_due"],
    sql: "UPDATE provider_callback SET applied_at = NULL, result = NULL, due_at = NULL",
  },
  {
    what: "a callback that was applied to no known end",
    breaks: ["callback_is_applied_or_due"],
    sql: "UPDATE provider_callback SET result = NULL",
  },
  {
    what: "a callback that was set aside without an exception",
    breaks: ["unapplied_callback_has_its_exception"],
    sql: `INSERT INTO provider_callback (provider, callback_id, body, applied_at, due_at, result)
          VALUES ('sandbox', 'cb-planted', '{}', now(), NULL, 'unmatched')`,
  },
  {
    what: "a callback that is put off for days",
    breaks: ["callback_is_due_within_a_day"],
    sql: "UPDATE provider_callback SET applied_at = NULL, result = NULL, due_at = now() + interval '2 days'",
  },
  {
    what: "a callback that is overdue",
    breaks: ["no_callback_is_overdue"],
    sql: "UPDATE provider_callback SET applied_at = NULL, result = NULL, due_at = now() - interval '61 seconds'",
  },
];

const DECISIONS: readonly Plant[] = [
  {
    what: "a resolved exception under another person's name",
    breaks: ["decision_has_its_audit_entry"],
    sql: `UPDATE exception SET resolved_by_id = 'mem_other' WHERE ${one("exception", "resolved_at IS NOT NULL")}`,
  },
  {
    what: "a pause of a merchant that ended without an audit entry",
    breaks: ["decision_has_its_audit_entry"],
    sql: `INSERT INTO dispatch_pause (id, merchant_id, reason, paused_by, paused_at, resume_reason, resumed_by, resumed_at)
          SELECT 'dpz_planted', id, 'x', 'operator:cli', now(), 'x', 'operator:cli', now() FROM merchant LIMIT 1`,
  },
  {
    what: "a call under another reference",
    breaks: ["calls_name_an_intent_alike"],
    sql: `UPDATE provider_attempt SET reference = 'other' WHERE ${one("provider_attempt", "reference IS NOT NULL")}`,
  },
];

const GUARDS: readonly Plant[] = [
  {
    what: "a trigger that is switched off",
    breaks: ["triggers_are_on"],
    sql: "ALTER TABLE approval DISABLE TRIGGER approval_is_append_only",
  },
];

/** All planted violations; at least one for every invariant. */
export const PLANTS: readonly Plant[] = [
  ...LEDGER,
  ...CLEARING,
  ...MONEY,
  ...TOPUP_PLANTS,
  ...REPORTS,
  ...SUSPENSE,
  ...APPROVALS,
  ...TWO_PEOPLE,
  ...REFUNDS,
  ...EVENTS,
  ...FIGURES,
  ...DELIVERIES,
  ...INTENTS,
  ...AUDIT,
  ...DECISIONS,
  ...GUARDS,
  ...IDEMPOTENCY,
  ...TENANCY,
  ...TIME,
  ...LIVENESS,
];
