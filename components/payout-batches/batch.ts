import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import type { PayoutWarnings } from "../payout-intents/warning-marks";

export type Batch = inferRouterOutputs<AppRouter>["payoutBatches"]["get"];

/** Why this member cannot approve the batch, in words; null if they can. */
export function obstacleText({ obstacle, open }: Batch): string | null {
  if (obstacle === "made_by_you")
    return "You made this batch, or saved one of its recipients, so somebody else must approve it.";
  if (obstacle === "authority_too_new")
    return "This batch is older than your authority to approve, so somebody else must approve it.";
  return open === 0 ? "You have approved this batch; it waits for another approver." : null;
}

/** "2 first payments to an account, 1 possible duplicate"; empty without warnings. */
export function warningsText(warnings: readonly PayoutWarnings[]): string {
  const first = warnings.filter((one) => one.is_first_time_recipient).length;
  const repeated = warnings.filter((one) => one.repeated).length;
  return [
    first > 0 ? `${first} first ${first === 1 ? "payment" : "payments"} to an account` : "",
    repeated > 0 ? `${repeated} possible ${repeated === 1 ? "duplicate" : "duplicates"}` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
