// The zoo: every planted bug, and the few that the test run tries.
import { ADAPTER_PATCHES } from "./adapters";
import { CALLBACK_PATCHES } from "./callbacks-between-cells";
import { CURSOR_PATCHES } from "./cursors";
import { DLOCAL_PATCHES } from "./dlocal";
import { FLOAT_PATCHES } from "./floats";
import { JOURNAL_PATCHES } from "./journal";
import { MOVE_PATCHES } from "./moves";
import type { Patch } from "./patch";
import { PAYMENT_AND_PAYOUT_PATCHES } from "./payments-and-payouts";
import { RECONCILIATION_PATCHES } from "./reconciliation";
import { RESEND_PATCHES } from "./resends";
import { SECRET_PATCHES } from "./secrets";
import { SECURITY_PATCHES } from "./security";
import { SERVICE_PATCHES } from "./services";
import { STORAGE_PATCHES } from "./storage";
import { SUB_ACCOUNT_PATCHES } from "./sub-accounts";
import { TOPUP_PATCHES } from "./topups";
import { UNIQUE_KEY_PATCHES } from "./unique-keys";

export const PATCHES: readonly Patch[] = [
  ...PAYMENT_AND_PAYOUT_PATCHES,
  ...TOPUP_PATCHES,
  ...SERVICE_PATCHES,
  ...STORAGE_PATCHES,
  ...SECURITY_PATCHES,
  ...ADAPTER_PATCHES,
  ...DLOCAL_PATCHES,
  ...SUB_ACCOUNT_PATCHES,
  ...UNIQUE_KEY_PATCHES,
  ...FLOAT_PATCHES,
  ...SECRET_PATCHES,
  ...CURSOR_PATCHES,
  ...RESEND_PATCHES,
  ...MOVE_PATCHES,
  ...CALLBACK_PATCHES,
  ...JOURNAL_PATCHES,
  ...RECONCILIATION_PATCHES,
];
