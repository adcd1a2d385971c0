// Step-up: an act that creates authority or moves money takes a proof that the member is there.

import { actOf } from "@/server/db/audit/record";
import { countWithTotp } from "@/server/db/member-totp";
import { updateTotpRequiredFor } from "@/server/db/merchants";
import { CodeRequired, Forbidden, notFoundError, PasswordRequired, validationError } from "@/server/domain/errors";
import { type MemberAct, rolesFor } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { forgetMerchantSettings, merchantSettings } from "../merchants/settings";
import { isPasswordOf } from "./sign-in";
import { hasTotp, spendCode } from "./totp";

/** Acts that create authority or move money. */
export const STEP_UP_ACTS = [
  "approve",
  "create_payout",
  "key_create",
  "key_roll",
  "members",
  "policies",
  "settle",
  "webhooks",
] as const;
export type StepUpAct = (typeof STEP_UP_ACTS)[number];

const PERMISSION_FOR: Readonly<Record<StepUpAct, MemberAct>> = {
  approve: "decide_payouts",
  create_payout: "create_payouts",
  key_create: "manage_keys",
  key_roll: "manage_keys",
  members: "manage_members",
  policies: "decide_policies",
  settle: "decide_exceptions",
  webhooks: "manage_webhooks",
};

/** A member's proof for one call: a one-time code, or the password of a member without codes. */
export interface StepUpProof {
  readonly code?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * Passes if the act needs no proof, or with a valid one, which counts for this call only; a code is then used up. Live
 * always needs a proof, and so do acts on members, who are the same in both environments; otherwise the merchant's settings
 * decide. A member without codes gives the password. Throws CodeRequired or PasswordRequired without a valid proof, and
 * Forbidden for a member without codes if the merchant requires codes for the act.
 */
export async function requireStepUp(context: CallContext, act: StepUpAct, proof: StepUpProof): Promise<void> {
  const { merchantId, environment } = context.scope;
  const { totpRequiredFor } = await merchantSettings(merchantId);
  const needsCode = totpRequiredFor.includes(act);
  if (!needsCode && environment === "test" && act !== "members") return;
  if (await hasTotp({ merchantId, memberId: context.actor.id })) return spendOrRequireCode(context, proof.code);
  if (needsCode)
    throw new Forbidden(
      "Your merchant requires a one-time code for this act; set up one-time codes under Your account first.",
    );
  await requirePassword(context, proof.password);
}

async function requirePassword(context: CallContext, password: string | undefined): Promise<void> {
  if (password === undefined || password === "") throw new PasswordRequired("Enter your password to confirm this.");
  if (!(await isPasswordOf(context, password)))
    throw new PasswordRequired("The password is wrong, or there were too many attempts.");
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
