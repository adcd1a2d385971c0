// Step-up: an act that creates authority or moves money takes a proof that the member is there.

import { actOf } from "@/server/db/audit/record";
import { findMemberById } from "@/server/db/member-credentials";
import { countWithSecondFactor } from "@/server/db/member-totp";
import { updateTotpRequiredFor } from "@/server/db/merchants";
import { Forbidden, notFoundError, ServiceError, validationError } from "@/server/domain/errors";
import { type MemberAct, requireAllowed, rolesFor } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { forgetMerchantSettings, merchantSettings } from "../merchants/settings";
import { requirePresence } from "./presence";
import { proveBySecondFactor, type StepUpProof } from "./second-factor";
import { hasSessionEnded } from "./sessions";

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

/**
 * Passes if the act needs no proof, or with a valid one, which counts for this call only and is used up. Live
 * always needs a proof, and so do acts on members, who are the same in both environments; otherwise the merchant's settings
 * decide. A member with neither passkey nor codes gives the password or signs in afresh. Throws PasskeyRequired,
 * CodeRequired, FreshSignInRequired or PasswordRequired without a valid proof, and Forbidden for such a member if the
 * merchant requires codes for the act.
 */
export async function requireStepUp(context: CallContext, act: StepUpAct, proof: StepUpProof): Promise<void> {
  const { merchantId, environment } = context.scope;
  const { totpRequiredFor } = await merchantSettings(merchantId);
  const needsCode = totpRequiredFor.includes(act);
  if (!needsCode && environment === "test" && act !== "members") return;
  await prove(context, proof, needsCode);
  await requireStillAllowed(context, act);
}

/**
 * For an act of every role after which data leaves for another place. Live always needs a proof; test needs none. Throws as
 * `requireStepUp` does.
 */
export async function requireProof(context: CallContext, proof: StepUpProof): Promise<void> {
  if (context.scope.environment === "test") return;
  await prove(context, proof, false);
  await requireOpenSession(context);
}

async function prove(context: CallContext, proof: StepUpProof, needsCode: boolean): Promise<void> {
  if (await proveBySecondFactor(context, proof)) return;
  if (needsCode)
    throw new Forbidden(
      "Your merchant requires a second factor for this act; set up a passkey or one-time codes under Your account first.",
    );
  await requirePresence(context, proof);
}

/** Checking a proof takes time, in which the member may have lost the role, or the session may have been ended. */
async function requireStillAllowed(context: CallContext, act: StepUpAct): Promise<void> {
  const { scope, actor } = context;
  const member = await findMemberById(scope.merchantId, actor.id);
  if (!member) throw new Forbidden("The member does not exist.");
  requireAllowed(member, PERMISSION_FOR[act], scope.environment);
  await requireOpenSession(context);
}

async function requireOpenSession({ scope, sessionId }: CallContext): Promise<void> {
  if (sessionId !== undefined && (await hasSessionEnded({ merchantId: scope.merchantId, sessionId })))
    throw new ServiceError("unauthorized", "You are signed out. Sign in again to go on.");
}

/**
 * Always requires a passkey or a code. Throws PasskeyRequired or CodeRequired without one, and validation_failed for a
 * member who has neither: only a member who can give the proof may require it.
 */
export async function requireSecondFactor(context: CallContext, proof: StepUpProof): Promise<void> {
  if (await proveBySecondFactor(context, proof)) return;
  throw validationError(
    "a passkey or one-time codes",
    "must be set up under Your account first: this change requires one of them",
  );
}

export interface StepUpView {
  readonly act: StepUpAct;
  readonly isRequired: boolean;
  /** How many active members may do it, and how many of them have codes or a passkey. */
  readonly members: number;
  readonly withSecondFactor: number;
}

/** Returns, for each act, whether a second factor is required and how many members have one. */
export async function showStepUp(merchantId: string): Promise<StepUpView[]> {
  const { totpRequiredFor } = await merchantSettings(merchantId);
  return Promise.all(
    STEP_UP_ACTS.map(async (act) => ({
      act,
      isRequired: totpRequiredFor.includes(act),
      ...(await countWithSecondFactor(merchantId, rolesFor(PERMISSION_FOR[act]))),
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
