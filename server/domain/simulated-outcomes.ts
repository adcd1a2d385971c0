// The closed list of what the test environment's simulator can let happen to each kind of intent.

export const SIMULATED_PAYMENT_OUTCOMES = [
  "requires_action",
  "pending",
  "succeeded",
  "declined",
  "failed",
  "cancelled",
  "expired",
] as const;

export const SIMULATED_PAYOUT_OUTCOMES = [
  "settled",
  "succeeded",
  "declined",
  "failed",
  "invalid_recipient",
  "returned",
] as const;

export const SIMULATED_TOPUP_OUTCOMES = [
  "funds_seen",
  "funds_dropped",
  "succeeded",
  "declined",
  "failed",
  "expired",
  "underpaid",
  "overpaid",
] as const;

/** Every name that the simulator takes for some kind of intent, each once. */
export const SIMULATED_OUTCOMES = [
  "requires_action",
  "pending",
  "funds_seen",
  "funds_dropped",
  "succeeded",
  "settled",
  "declined",
  "failed",
  "invalid_recipient",
  "returned",
  "cancelled",
  "expired",
  "underpaid",
  "overpaid",
] as const;
