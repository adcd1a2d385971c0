// Recomputes in SQL the value of a top-up's funds from its stored fields alone (domain/fx, domain/topup-funds).
import { ISO_CURRENCIES, minorUnitDigits, TOKEN_SYMBOLS } from "@/server/domain/currencies";
import { literal } from "./relations";

/** Minor units per major unit of every currency, as an exact number. */
const SCALES = `(VALUES ${[...ISO_CURRENCIES, ...TOKEN_SYMBOLS]
  .map((code) => `(${literal(code)}, ${10n ** BigInt(minorUnitDigits(code))}::numeric)`)
  .join(", ")}) AS`;

/** Top-ups `i` with the scales of their currencies; excludes unknown currencies. */
const IN_SCALE = `topup_intent i
  JOIN ${SCALES} source(currency, scale) ON source.currency = i.source_currency
  JOIN ${SCALES} destination(currency, scale) ON destination.currency = i.destination_currency`;

/** Converts source to destination minor units, rounded down; no operand is negative. */
const toDestination = (sourceAmount: string) => `div((${sourceAmount}) * i.rate * destination.scale, source.scale)`;

/** Divides source minor units on the top-up's terms; `value` is the total. */
const partsOf = (amount: string) => `LATERAL (
  SELECT credit, gross - credit - born AS spread, born - fee AS fee, gross - fee AS value
  FROM (
    SELECT gross, fee, CASE WHEN i.fee_mode = 'deducted' THEN greatest(whole - fee, 0) ELSE whole END AS credit,
           CASE WHEN i.fee_mode = 'absorbed' THEN 0 ELSE fee END AS born
    FROM (
      SELECT ${toDestination(amount)} AS gross,
             ${toDestination(`div(i.fee_amount * ${amount}, i.source_amount)`)} AS fee,
             div(i.destination_amount * ${amount}, i.source_amount) AS whole
    ) worth
  ) shares)`;

/** The total that a success credits: all received, or at most the requested amount if the policy holds the rest. */
const CREDITED =
  "CASE WHEN i.overpayment = 'credit_actual' THEN i.received_amount ELSE least(i.received_amount, i.source_amount) END";

/**
 * Per top-up (merchant_id, id), in destination minor units: `credit` for the wallet, `spread`, and the provider's `fee`
 * if the operator pays it (negative); all three are zero unless succeeded. `rest` is what its end leaves in suspense.
 * `whole_credit`, `whole_fee` and `whole_value` are those of an exact payment. Excludes unknown currencies.
 */
export const TOPUP_DUE = `(
  SELECT i.merchant_id, i.id, paid.times * credited.credit AS credit, paid.times * credited.spread AS spread,
         paid.times * credited.fee AS fee,
         CASE WHEN i.status = 'succeeded' THEN greatest(received.value - credited.value, 0)
              WHEN i.status IN ('failed', 'expired') THEN greatest(received.value, 0) ELSE 0 END AS rest,
         whole.credit AS whole_credit, whole.fee AS whole_fee, whole.value AS whole_value
  FROM ${IN_SCALE}
  CROSS JOIN LATERAL (SELECT CASE WHEN i.status = 'succeeded' THEN 1 ELSE 0 END AS times) paid
  CROSS JOIN ${partsOf("i.received_amount")} received
  CROSS JOIN ${partsOf(`(${CREDITED})`)} credited
  CROSS JOIN ${partsOf("i.source_amount")} whole)`;

/** The steps of a top-up's own totals, named by the last part of their bookings' keys, in source minor units. */
const STEPS = `(
  SELECT t.merchant_id, t.intent_id, t.ordinal::text AS step, t.base_amount, t.reported_amount
  FROM topup_total t JOIN topup_intent i ON i.merchant_id = t.merchant_id AND i.id = t.intent_id
  WHERE t.currency = i.source_currency
  UNION ALL
  SELECT merchant_id, id, 'end', seen_amount, reported_amount FROM topup_intent WHERE reported_amount > seen_amount)`;

/**
 * The increase of each step (merchant_id, intent_id, step), in destination minor units: credit, spread, fee and their
 * sum.
 */
export const TOPUP_GROWTH = `(
  SELECT i.merchant_id, i.id AS intent_id, s.step, more.credit - less.credit AS credit, more.spread - less.spread AS spread,
         more.fee - less.fee AS fee, more.value - less.value AS value
  FROM ${IN_SCALE}
  JOIN ${STEPS} s ON s.merchant_id = i.merchant_id AND s.intent_id = i.id
  CROSS JOIN ${partsOf("s.base_amount")} less
  CROSS JOIN ${partsOf("s.reported_amount")} more)`;

/** Per top-up (merchant_id, id): the value of the largest confirmed total reported, if stored. */
export const TOPUP_REPORTED = `(
  SELECT i.merchant_id, i.id, largest.amount, worth.value
  FROM ${IN_SCALE}
  LEFT JOIN (SELECT merchant_id, intent_id, max(reported_amount) AS amount FROM ${STEPS} s GROUP BY 1, 2) later
    ON later.merchant_id = i.merchant_id AND later.intent_id = i.id
  CROSS JOIN LATERAL (SELECT greatest(i.reported_amount, later.amount) AS amount) largest
  CROSS JOIN ${partsOf("largest.amount")} worth
  WHERE largest.amount IS NOT NULL)`;
