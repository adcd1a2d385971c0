import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import type { PayoutWarnings } from "../payout-intents/warning-marks";

export type Batch = inferRouterOutputs<AppRouter>["payoutBatches"]["get"];

/** Why this member cannot approve the batch, in words; null if they can. */
export function obstacleText(texts: Texts, { obstacle, open }: Batch): string | null {
  if (obstacle === "made_by_you") return texts("batches.obstacleMaker");
  if (obstacle === "authority_too_new") return texts("batches.obstacleRoleTooNew");
  return open === 0 ? texts("batches.obstacleApproved") : null;
}

/** "2 first payments to an account, 1 possible duplicate"; empty without warnings. */
export function warningsText(texts: Texts, warnings: readonly PayoutWarnings[]): string {
  const first = warnings.filter((one) => one.is_first_time_recipient).length;
  const repeated = warnings.filter((one) => one.repeated).length;
  return [
    first > 0 ? texts("batches.firstPayments", { count: first }) : "",
    repeated > 0 ? texts("batches.possibleDuplicates", { count: repeated }) : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
