// Planted violations of refunds of money in suspense.
import { one, type Plant } from "./plant";

const BY_HAND = "starts_with(intent_id, 'sref_')";
const settled = one("suspense_refund", "state = 'settled'");

export const REFUNDS: readonly Plant[] = [
  {
    what: "a refund that one member confirmed alone",
    breaks: ["refund_took_two_people"],
    sql: `UPDATE suspense_refund SET decided_by_id = proposed_by_id WHERE ${one("suspense_refund", "state = 'confirmed'")}`,
  },
  {
    what: "an end of a refund by hand without its resolution",
    breaks: ["refund_by_hand_took_two_people"],
    sql: `DELETE FROM manual_resolution WHERE ${one("manual_resolution", BY_HAND)}`,
  },
  {
    what: "a resolution by which a refund settled that is still taken for refused",
    breaks: ["refund_by_hand_took_two_people"],
    sql: `UPDATE manual_resolution SET outcome = 'settled' WHERE ${one("manual_resolution", `${BY_HAND} AND outcome = 'failed'`)}`,
  },
  {
    what: "an end of a refund by hand that its proposer proposed",
    breaks: ["refund_by_hand_took_two_people"],
    sql: `UPDATE manual_resolution r SET (proposed_by_type, proposed_by_id) = (
            SELECT 'member', f.proposed_by_id FROM suspense_refund f WHERE f.id = r.intent_id)
          WHERE ${one("manual_resolution", BY_HAND)}`,
  },
  {
    what: "a settled refund of less than its money",
    breaks: ["refund_is_of_its_money", "refund_is_booked_once_settled"],
    sql: `UPDATE suspense_refund SET amount = amount - 1 WHERE ${settled}`,
  },
  {
    what: "a second refund of the same money",
    breaks: ["refund_is_of_its_money", "refund_is_booked_once_settled"],
    sql: `UPDATE suspense_refund SET (fact, exception_id, amount, payment_id) = (
            SELECT fact, exception_id, amount, payment_id FROM suspense_refund WHERE state = 'settled' LIMIT 1)
          WHERE ${one("suspense_refund", "state = 'returned'")}`,
  },
  {
    what: "money that was settled otherwise while its refund is on its way",
    breaks: ["refund_is_of_its_money", "suspense_is_left_as_decided", "decision_has_its_audit_entry"],
    sql: `UPDATE exception SET resolved_at = now(), resolution = 'x', resolved_by_type = 'worker', resolved_by_id = 'worker'
          WHERE id = (SELECT exception_id FROM suspense_refund WHERE state = 'confirmed' LIMIT 1)`,
  },
  {
    what: "a refund that settled and is still taken for refused",
    breaks: ["refund_is_booked_once_settled"],
    sql: `UPDATE suspense_refund SET state = 'settled' WHERE ${one("suspense_refund", "state = 'failed'")}`,
  },
  {
    what: "a settled refund whose return was booked",
    breaks: ["refund_is_booked_once_settled"],
    sql: `UPDATE suspense_refund SET state = 'settled' WHERE ${one("suspense_refund", "state = 'returned'")}`,
  },
  {
    what: "a call about a refund under another reference",
    breaks: ["refund_is_sent_as_confirmed"],
    sql: `UPDATE provider_attempt SET reference = 'other' WHERE ${one("provider_attempt", "intent_id LIKE 'sref_%'")}`,
  },
  {
    what: "a call about a refund that nobody confirmed",
    breaks: ["refund_is_sent_as_confirmed"],
    sql: `INSERT INTO provider_attempt (merchant_id, id, environment, intent_id, ordinal, provider, reference, state, started_at)
          SELECT merchant_id, 'att_planted', environment, id, 1, provider, reference, 'started', now()
          FROM suspense_refund WHERE state = 'rejected' LIMIT 1`,
  },
  {
    what: "a confirmed refund that no worker takes up",
    breaks: ["refund_is_ended_or_due"],
    sql: `UPDATE suspense_refund SET due_at = NULL WHERE state = 'confirmed'`,
  },
  {
    what: "a refund that has been due for long",
    breaks: ["no_refund_is_overdue"],
    sql: `UPDATE suspense_refund SET due_at = now() - interval '61 seconds' WHERE state = 'confirmed'`,
  },
];
