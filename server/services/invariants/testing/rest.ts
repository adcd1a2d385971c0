// Keeping a history at rest: no worker runs beside it, so what falls due must not become overdue while a test looks.
import { query } from "@/server/db/client";

/** Puts off whatever waits for a worker by most of a day, so that no check depends on how long the looking takes. */
export async function putOffWhatWaits(): Promise<void> {
  for (const table of ["payment_intent", "payout_intent", "topup_intent", "provider_callback"]) {
    await query(`UPDATE ${table} SET due_at = due_at + interval '20 hours' WHERE due_at IS NOT NULL`);
  }
  // However long the history took: an event that is planted later is asked for by nobody, unless the plant says so.
  await query("UPDATE webhook_endpoint SET subscribed_at = now() + interval '1 day'");
  await query("UPDATE audit_pending SET queued_at = queued_at + interval '1 day'");
}
