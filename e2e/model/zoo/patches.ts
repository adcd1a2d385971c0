// The zoo: every planted bug, and the few that the test run tries.
import { ADAPTER_PATCHES } from "./adapters";
import type { Patch } from "./anchor";
import { DLOCAL_PATCHES } from "./dlocal";
import { PAYMENT_AND_PAYOUT_PATCHES } from "./payments-and-payouts";
import { SECURITY_PATCHES } from "./security";
import { SERVICE_PATCHES } from "./services";
import { STORAGE_PATCHES } from "./storage";
import { SUB_ACCOUNT_PATCHES } from "./sub-accounts";
import { TOPUP_PATCHES } from "./topups";

export const PATCHES: readonly Patch[] = [
  ...PAYMENT_AND_PAYOUT_PATCHES,
  ...TOPUP_PATCHES,
  ...SERVICE_PATCHES,
  ...STORAGE_PATCHES,
  ...SECURITY_PATCHES,
  ...ADAPTER_PATCHES,
  ...DLOCAL_PATCHES,
  ...SUB_ACCOUNT_PATCHES,
];
