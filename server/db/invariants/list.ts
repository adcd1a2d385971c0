// The list of all invariants, in the order in which they are checked and reported.
import { APPROVAL_INVARIANTS } from "./approvals";
import { AUDIT_INVARIANTS } from "./audit";
import { DELIVERY_INVARIANTS } from "./deliveries";
import { EVENT_INVARIANTS } from "./events";
import { FIGURE_INVARIANTS } from "./figures";
import { GUARD_INVARIANTS } from "./guards";
import { IDEMPOTENCY_INVARIANTS } from "./idempotency";
import { INTENT_INVARIANTS } from "./intents";
import type { Invariant } from "./invariant";
import { LEDGER_INVARIANTS } from "./ledger";
import { LIVENESS_INVARIANTS } from "./liveness";
import { MONEY_INVARIANTS } from "./money";
import { REFUND_INVARIANTS } from "./refunds";
import { SUSPENSE_INVARIANTS } from "./suspense";
import { TENANCY_INVARIANTS } from "./tenancy";
import { TIME_INVARIANTS } from "./time";
import { TOPUP_INVARIANTS } from "./topups";
import { TWO_PEOPLE_INVARIANTS } from "./two-people";

export const INVARIANTS: readonly Invariant[] = [
  ...LEDGER_INVARIANTS,
  ...MONEY_INVARIANTS,
  ...TOPUP_INVARIANTS,
  ...SUSPENSE_INVARIANTS,
  ...REFUND_INVARIANTS,
  ...APPROVAL_INVARIANTS,
  ...TWO_PEOPLE_INVARIANTS,
  ...EVENT_INVARIANTS,
  ...FIGURE_INVARIANTS,
  ...DELIVERY_INVARIANTS,
  ...INTENT_INVARIANTS,
  ...AUDIT_INVARIANTS,
  ...GUARD_INVARIANTS,
  ...IDEMPOTENCY_INVARIANTS,
  ...TENANCY_INVARIANTS,
  ...TIME_INVARIANTS,
  ...LIVENESS_INVARIANTS,
];
