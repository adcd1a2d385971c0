// Postpones due work: no worker runs, so nothing may become overdue during a test.
import { query } from "@/server/db/client";

/** Postpones all waiting work by most of a day, so that no check depends on the test's duration. */
export async function postponePending(): Promise<void> {
  for (const table of ["payment_intent", "payout_intent", "topup_intent", "suspense_refund", "provider_callback"]) {
    await query(`UPDATE ${table} SET due_at = due_at + interval '20 hours' WHERE due_at IS NOT NULL`);
  }
  // Subscribes endpoints only to later events, so that planted events need no delivery unless the plant adds one.
  await query("UPDATE webhook_endpoint SET subscribed_at = now() + interval '1 day'");
  await query("UPDATE audit_pending SET queued_at = queued_at + interval '1 day'");
}
