import type { Row } from "./schema-rows";

/** What a row of each kind takes on in each of its terminal statuses, beside the status. */
export const TERMINAL_STATES: Readonly<Record<string, readonly Row[]>> = {
  payment_intent: [
    { status: "succeeded", due_at: null },
    { status: "failed", due_at: null, failure_code: "provider_declined", failure_message: "No." },
    { status: "expired", due_at: null, failure_code: "expired" },
  ],
  payout_intent: [
    { status: "succeeded", due_at: null, approvals_required: 0 },
    {
      status: "failed",
      due_at: null,
      failure_code: "invalid_recipient",
      failure_message: "No such account.",
      approvals_required: 0,
    },
    { status: "cancelled", due_at: null, failure_code: "cancelled" },
  ],
  topup_intent: [
    { status: "succeeded", due_at: null, received_amount: 19, credited_amount: 100 },
    { status: "failed", due_at: null, failure_code: "underpaid" },
    { status: "expired", due_at: null, failure_code: "expired" },
  ],
};
