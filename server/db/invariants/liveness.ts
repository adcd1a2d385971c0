// Invariants of liveness: every open row has a due time, and is processed in time.
import { UNAPPLIED } from "../callbacks";
import type { Invariant } from "./invariant";
import { INTENT_TABLES, INTENTS, TERMINAL } from "./relations";

/** A running worker is never this late; a dead worker's claims have expired by then. */
const PATIENCE = "interval '60 seconds'";

export const LIVENESS_INVARIANTS: readonly Invariant[] = [
  {
    name: "open_intent_has_a_due_time",
    guarantee: "Every intent that is not terminal has a due time, and no terminal intent has one.",
    sql: `
      SELECT merchant_id, id AS intent_id, status, due_at FROM ${INTENTS} i
      WHERE (due_at IS NULL) <> (status IN ${TERMINAL})`,
    needs: INTENT_TABLES,
  },
  {
    name: "no_intent_is_overdue",
    guarantee: "No intent has been due for more than 60 seconds: the worker runs and is not behind.",
    sql: `
      SELECT merchant_id, id AS intent_id, status, due_at FROM ${INTENTS} i WHERE due_at < now() - ${PATIENCE}`,
    needs: ["payment_intent WHERE due_at IS NOT NULL", "payout_intent WHERE due_at IS NOT NULL"],
  },
  {
    name: "no_audit_entry_waits_long",
    guarantee: "No audit entry has waited for its link for more than 60 seconds.",
    sql: `SELECT merchant_id, entry_id, queued_at FROM audit_pending WHERE queued_at < now() - ${PATIENCE}`,
    needs: ["audit_pending"],
  },
  {
    name: "callback_is_applied_or_due",
    guarantee: "Every stored callback of a provider is either applied, with a result, or due.",
    sql: `
      SELECT provider, callback_id, received_at, applied_at, due_at, attempts FROM provider_callback
      WHERE (applied_at IS NULL) <> (due_at IS NOT NULL) OR (applied_at IS NULL) <> (result IS NULL)`,
    needs: ["provider_callback"],
  },
  {
    name: "callback_is_due_within_a_day",
    guarantee: "No due callback is postponed by more than a day; the service postpones by at most ten minutes.",
    sql: `
      SELECT provider, callback_id, received_at, due_at, attempts FROM provider_callback
      WHERE due_at > now() + interval '1 day'`,
    needs: ["provider_callback"],
  },
  {
    name: "unapplied_callback_has_its_exception",
    guarantee: "Every callback that was not applied after its last retry has an exception.",
    sql: `
      SELECT provider, callback_id, received_at, result, attempts FROM provider_callback c
      WHERE ${UNAPPLIED} AND NOT EXISTS (
        SELECT FROM exception x
        WHERE x.kind = 'unapplied_callback' AND x.fact = 'callback:' || c.provider || '/' || c.callback_id)`,
    needs: [`provider_callback WHERE ${UNAPPLIED}`],
  },
  {
    name: "no_callback_is_overdue",
    guarantee: "No callback has been due for more than 60 seconds.",
    sql: `
      SELECT provider, callback_id, received_at, due_at, attempts FROM provider_callback
      WHERE due_at < now() - ${PATIENCE}`,
    needs: ["provider_callback"],
  },
];
