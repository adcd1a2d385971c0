// Owns asking for a one-time code before an act, where the merchant wants one.
import { updateTotpRequiredFor } from "@/server/db/merchants";
import { notFoundError, validationError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { operatorAct } from "../merchants/operator";
import { forgetMerchantSettings, merchantSettings } from "../merchants/settings";
import { CodeRequired } from "./code-required";
import { Forbidden } from "./roles";
import { hasTotp, spendCode } from "./totp";

/** What a merchant can ask a code for: approving payouts, and rolling API keys. */
export const STEP_UP_ACTS = ["approve", "key_roll"] as const;
export type StepUpAct = (typeof STEP_UP_ACTS)[number];

/**
 * Passes where the merchant asks no code for the act, or the member's code is good, which is then used up. Throws
 * CodeRequired without a good code, Forbidden for a member who has none set up.
 */
export async function requireStepUp(context: CallContext, act: StepUpAct, code: string | undefined): Promise<void> {
  const { merchantId } = context.scope;
  const { totpRequiredFor } = await merchantSettings(merchantId);
  if (!totpRequiredFor.includes(act)) return;
  if (!(await hasTotp({ merchantId, memberId: context.actor.id })))
    throw new Forbidden("Your merchant asks for a one-time code here: set one up under Your account first.");
  if (code === undefined || code === "") throw new CodeRequired("Enter the code that your authenticator shows.");
  if (!(await spendCode(context, code)))
    throw new CodeRequired("The code is wrong, or was used already: wait for the next one.");
}

/** Sets what members give a code for, within a second on every process. Throws validation_failed and not_found. */
export async function setStepUp(merchantId: string, wanted: readonly string[]): Promise<StepUpAct[]> {
  const acts = STEP_UP_ACTS.filter((act) => wanted.includes(act));
  if (wanted.some((act) => !acts.includes(act as StepUpAct)))
    throw validationError("required-for", `must be of ${STEP_UP_ACTS.join(", ")}, or none`);
  if (!(await updateTotpRequiredFor(merchantId, acts, operatorAct()))) throw notFoundError();
  forgetMerchantSettings(merchantId);
  return acts;
}
