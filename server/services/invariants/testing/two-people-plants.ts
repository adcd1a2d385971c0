// Planted violations of acts that need two people: manual resolutions and journal entries.
import { one, type Plant } from "./plant";

const RESOLUTION = (outcome: string) =>
  one("manual_resolution", `outcome = '${outcome}' AND starts_with(intent_id, 'word_')`);

export const TWO_PEOPLE: readonly Plant[] = [
  {
    what: "an end by hand that one person confirmed alone",
    breaks: ["manual_end_took_two_people"],
    sql: `UPDATE manual_resolution SET decided_by_id = upper(proposed_by_id) WHERE ${RESOLUTION("failed")}`,
  },
  {
    what: "an end by hand without its resolution",
    breaks: ["manual_end_took_two_people"],
    sql: `DELETE FROM manual_resolution WHERE ${RESOLUTION("failed")}`,
  },
  {
    what: "a confirmed resolution that ended nothing",
    breaks: ["manual_end_took_two_people"],
    sql: `UPDATE manual_resolution SET intent_id = (SELECT id FROM payout_intent WHERE status = 'requires_approval' LIMIT 1)
          WHERE ${RESOLUTION("failed")}`,
  },
  {
    what: "a payout that was settled by hand for another sum than was confirmed",
    breaks: ["manual_end_took_two_people", "payout_is_settled_or_released_once"],
    sql: `UPDATE manual_resolution SET amount = amount - 1 WHERE ${one("manual_resolution", "amount = 24000")}`,
  },
  {
    what: "a journal entry that one operator confirmed alone",
    breaks: ["journal_took_two_people"],
    sql: `UPDATE journal_entry SET decided_by_id = proposed_by_id`,
  },
  {
    what: "a journal entry that was booked and never confirmed",
    breaks: ["journal_took_two_people"],
    sql: "DELETE FROM journal_entry",
  },
  {
    what: "a confirmed journal entry of another sum than was booked",
    breaks: ["journal_took_two_people"],
    sql: "UPDATE journal_entry SET amount = amount + 1",
  },
];
