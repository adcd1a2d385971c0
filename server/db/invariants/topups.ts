// Invariants of top-ups' money: all received funds are booked to the minor unit, by terms and policies.
import type { Invariant } from "./invariant";
import { TOPUP_DUE, TOPUP_GROWTH, TOPUP_REPORTED } from "./topup-credit";

const sum = (account: string, condition: string) =>
  `coalesce(sum(e.amount) FILTER (WHERE e.kind = '${account}' AND ${condition}), 0)`;

const CREDIT = "t.unique_key = 'topup_credit:' || t.intent_id";
const OVERPAID = "starts_with(t.unique_key, 'topup_over:')";
const ELSEWHERE = `NOT (${CREDIT} OR ${OVERPAID} OR t.reason IN ('late_money', 'suspense_settlement'))`;
const REST = `(${CREDIT} OR t.unique_key = 'topup_rest:' || t.intent_id)`;
/** Bookings of a top-up's own funds; those with `receipt:` are from before steps were stored. */
const OWN_FUNDS = `(${REST} OR ${OVERPAID} OR starts_with(t.unique_key, 'topup_late:')
  OR starts_with(t.unique_key, 'receipt:' || t.intent_id || ':after '))`;

/** Bookings per top-up: the credit of its end, other bookings to its wallet, and the rest in suspense. */
const BOOKED = `(
  SELECT t.merchant_id, t.intent_id AS id, count(DISTINCT t.id) FILTER (WHERE ${CREDIT}) AS credits,
         ${sum("available", CREDIT)} AS credited, ${sum("fx_spread", CREDIT)} AS spread, ${sum("fees", CREDIT)} AS fees,
         ${sum("available", ELSEWHERE)} AS otherwise, ${sum("held", "true")} AS held, ${sum("suspense", REST)} AS rest,
         string_agg(DISTINCT e.currency, ',') FILTER (WHERE ${CREDIT}) AS currencies
  FROM ledger_transaction t LEFT JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
  WHERE starts_with(t.intent_id, 'tuin_') GROUP BY t.merchant_id, t.intent_id)`;

const booked = `LEFT JOIN ${BOOKED} b ON b.merchant_id = i.merchant_id AND b.id = i.id`;
const due = `LEFT JOIN ${TOPUP_DUE} due ON due.merchant_id = i.merchant_id AND due.id = i.id`;
const orZero = (...columns: string[]) => columns.map((column) => `coalesce(b.${column}, 0)`).join(", ");

/** Funds beside top-ups, and money that a decision released from suspense to their wallets, per transaction. */
const SHARED_OUT = `(
  SELECT t.merchant_id, t.intent_id, t.id, t.reason, t.unique_key, ${OVERPAID} AS is_overpaid,
         -sum(e.amount) FILTER (WHERE split_part(e.kind, ':', 1) =
           CASE t.reason WHEN 'suspense_settlement' THEN 'suspense' ELSE 'provider_clearing' END) AS value,
         ${sum("available", "true")} AS available, ${sum("fx_spread", "true")} AS spread, ${sum("fees", "true")} AS fees
  FROM ledger_transaction t JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
  WHERE t.reason = 'late_money' OR ${OVERPAID}
     OR (t.reason = 'suspense_settlement' AND starts_with(t.unique_key, 'settled:topup_'))
  GROUP BY t.merchant_id, t.intent_id, t.id, t.reason, t.unique_key)`;

/** Entries of providers' accounts with their transactions. */
const FROM_CLEARING = `FROM ledger_transaction t
  JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
    AND starts_with(e.kind, 'provider_clearing')`;

export const TOPUP_INVARIANTS: readonly Invariant[] = [
  {
    name: "topup_is_credited_once_succeeded",
    guarantee:
      "A succeeded top-up is credited once, with exactly the amount that its received amount, quote, fee and policies yield; any other top-up is not credited.",
    sql: `
      SELECT i.merchant_id, i.id AS intent_id, i.status, i.received_amount, i.credited_amount, due.credit AS due_credit,
             due.spread AS due_spread, due.fee AS due_fee, b.credits, b.credited, b.spread, b.fees, b.otherwise
      FROM topup_intent i ${booked} ${due}
      WHERE (i.credited_amount, ${orZero("credited", "spread", "fees", "credits", "otherwise", "held")})
        IS DISTINCT FROM (due.credit, due.credit, due.spread, due.fee,
          CASE WHEN (due.credit, due.spread, due.fee) <> (0, 0, 0) THEN 1 ELSE 0 END, 0, 0)
         OR b.currencies <> i.destination_currency`,
    needs: ["topup_intent WHERE status = 'succeeded'", "topup_intent WHERE status <> 'succeeded'"],
  },
  {
    name: "topup_rest_is_in_suspense",
    guarantee: "Exactly the funds that a top-up had received at its end and did not credit went to suspense.",
    sql: `
      SELECT i.merchant_id, i.id AS intent_id, i.status, i.received_amount, i.overpayment, i.underpayment,
             due.rest AS due_rest, b.rest
      FROM topup_intent i ${booked} ${due}
      WHERE ${orZero("rest")} IS DISTINCT FROM due.rest`,
    needs: [
      "topup_intent WHERE status = 'succeeded' AND overpayment <> 'credit_actual'",
      "topup_intent WHERE status = 'failed'",
    ],
  },
  {
    name: "topup_money_is_shared_out_on_its_terms",
    guarantee:
      "Unmatched funds of a top-up are credited or kept by its policy, divided as its total grew; out of suspense they are divided as the exact payment.",
    sql: `
      SELECT i.merchant_id, i.id AS intent_id, m.id AS transaction_id, m.reason, i.late_payment, m.value, m.available,
             m.spread, m.fees, share.credit AS due_credit, share.fee AS due_fee
      FROM topup_intent i JOIN ${SHARED_OUT} m ON m.merchant_id = i.merchant_id AND m.intent_id = i.id ${due}
      LEFT JOIN ${TOPUP_GROWTH} g ON g.merchant_id = i.merchant_id AND g.intent_id = i.id AND g.value = m.value AND g.credit >= 0
        AND m.unique_key IN ('topup_late:' || i.id || ':' || g.step, 'topup_over:' || i.id || ':' || g.step)
      CROSS JOIN LATERAL (
        SELECT coalesce(g.credit, div(m.value * due.whole_credit, nullif(due.whole_value, 0)), m.value) AS credit,
               coalesce(g.fee, div(m.value * due.whole_fee, nullif(due.whole_value, 0)), 0) AS fee,
               CASE WHEN m.is_overpaid THEN i.overpayment = 'credit_actual'
                    WHEN m.reason = 'late_money' THEN i.late_payment = 'credit_actual' ELSE m.available <> 0 END AS is_due
      ) share
      WHERE (m.available, m.spread, m.fees) <> CASE WHEN share.is_due
        THEN (share.credit, m.value - share.credit - share.fee, share.fee) ELSE (0::numeric, 0::numeric, 0::numeric) END`,
    needs: ["ledger_transaction WHERE reason = 'late_money' AND starts_with(intent_id, 'tuin_')"],
  },
  {
    name: "topup_is_booked_within_its_reports",
    guarantee:
      "The booked funds of a top-up do not exceed the largest confirmed total that its provider reported, per token.",
    sql: `
      SELECT i.merchant_id, i.id AS intent_id, i.source_currency AS token, r.amount AS reported_amount,
             r.value AS reported_value, b.value AS booked
      FROM topup_intent i
      JOIN ${TOPUP_REPORTED} r ON r.merchant_id = i.merchant_id AND r.id = i.id
      JOIN (
        SELECT t.merchant_id, t.intent_id, e.currency, -sum(e.amount) AS value ${FROM_CLEARING}
        WHERE ${OWN_FUNDS} GROUP BY 1, 2, 3
      ) b ON b.merchant_id = i.merchant_id AND b.intent_id = i.id AND b.currency = i.destination_currency
      WHERE b.value > r.value + 1
      UNION ALL
      SELECT s.merchant_id, s.intent_id, s.currency, max(s.reported_amount), max(s.reported_amount), b.value
      FROM topup_total s
      JOIN (
        SELECT t.merchant_id, t.intent_id, e.currency, -sum(e.amount) AS value ${FROM_CLEARING}
        WHERE starts_with(t.unique_key, 'other_token:') GROUP BY 1, 2, 3
      ) b ON b.merchant_id = s.merchant_id AND b.intent_id = s.intent_id AND b.currency = s.currency
      GROUP BY s.merchant_id, s.intent_id, s.currency, b.value HAVING b.value > max(s.reported_amount)`,
    needs: ["topup_total", "topup_intent WHERE reported_amount > 0"],
  },
];
