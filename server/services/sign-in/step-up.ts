// Requires a one-time code before an act, if the merchant's settings demand it.

import { actOf } from "@/server/db/audit/record";
import { countWithTotp } from "@/server/db/member-totp";
import { updateTotpRequiredFor } from "@/server/db/merchants";
import { CodeRequired, Forbidden, notFoundError, validationError } from "@/server/domain/errors";
import { type MemberAct, rolesFor } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { forgetMerchantSettings, merchantSettings } from "../merchants/settings";
import { hasTotp, spendCode } from "./totp";

/** Acts for which a merchant can require a code: approving payouts, and rolling API keys. */
export const STEP_UP_ACTS = ["approve", "key_roll"] as const;
export type StepUpAct = (typeof STEP_UP_ACTS)[number];

const PERMISSION_FOR: Readonly<Record<StepUpAct, MemberAct>> = { approve: "decide_payouts", key_roll: "manage_keys" };

/**
 * Passes if the merchant requires no code for the act or the member's code is valid; the code is then used up. Throws
 * CodeRequired without a valid code, Forbidden for a member who has not set up codes.
 */
export async function requireStepUp(context: CallContext, act: StepUpAct, code: string | undefined): Promise<void> {
  const { merchantId } = context.scope;
  const { totpRequiredFor } = await merchantSettings(merchantId);
  if (!totpRequiredFor.includes(act)) return;
  if (!(await hasTotp({ merchantId, memberId: context.actor.id })))
    throw new Forbidden(
      "Your merchant requires a one-time code for this act; set up one-time codes under Your account first.",
    );
  await spendOrRequireCode(context, code);
}

async function spendOrRequireCode(context: CallContext, code: string | undefined): Promise<void> {
  if (code === undefined || code === "") throw new CodeRequired("Enter the code that your authenticator shows.");
  if (!(await spendCode(context, code)))
    throw new CodeRequired("The code is wrong or was already used; enter the next one.");
}

/**
 * Always requires a valid code. Throws CodeRequired without one, and validation_failed for a member who has not set up
 * codes: only a member who can give codes may require them.
 */
export async function requireCode(context: CallContext, code: string | undefined): Promise<void> {
  if (!(await hasTotp({ merchantId: context.scope.merchantId, memberId: context.actor.id })))
    throw validationError(
      "one-time codes",
      "must be set up under Your account first: this change requires one of your codes",
    );
  await spendOrRequireCode(context, code);
}

export interface StepUpView {
  readonly act: StepUpAct;
  readonly isRequired: boolean;
  /** How many active members may do it, and how many of them have set up codes. */
  readonly members: number;
  readonly withCodes: number;
}

/** Returns, for each act, whether a code is required and how many members can give one. */
export async function showStepUp(merchantId: string): Promise<StepUpView[]> {
  const { totpRequiredFor } = await merchantSettings(merchantId);
  return Promise.all(
    STEP_UP_ACTS.map(async (act) => ({
      act,
      isRequired: totpRequiredFor.includes(act),
      ...(await countWithTotp(merchantId, rolesFor(PERMISSION_FOR[act]))),
    })),
  );
}

/** Sets the acts that require a code, within a second on every process. Throws validation_failed and not_found. */
export async function setStepUp(context: CallContext, wanted: readonly string[]): Promise<StepUpAct[]> {
  const { merchantId } = context.scope;
  const acts = STEP_UP_ACTS.filter((act) => wanted.includes(act));
  if (wanted.some((act) => !acts.includes(act as StepUpAct)))
    throw validationError("required-for", `must be of ${STEP_UP_ACTS.join(", ")}, or none`);
  if (!(await updateTotpRequiredFor(merchantId, acts, actOf(context)))) throw notFoundError();
  forgetMerchantSettings(merchantId);
  return acts;
}
