// Confirms a manual resolution: the second person ends the intent or refund, in the commit of the confirmation.

import type { Act } from "@/server/db/audit/record";
import { actOf } from "@/server/db/audit/record";
import {
  decideResolution,
  decideWithin,
  findResolutionAcrossMerchants,
  isOutdated,
  type StoredResolution,
} from "@/server/db/manual-resolutions";
import { notFoundError, ServiceError, validationError } from "@/server/domain/errors";
import {
  decidePaymentResolution,
  decidePayoutResolution,
  decideTopupResolution,
  type Resolution,
} from "@/server/domain/manual-resolution";
import type { Actor, CallContext } from "@/server/domain/scope";
import type { Decision, IntentCore } from "@/server/domain/transition";
import { isId } from "@/server/platform/ids";
import { differsFromProposal } from "../audit/proposal-digest";
import type { AnyIntent } from "../intent-kinds";
import type { IntentRecords } from "../intents/kind";
import { type RecordedDecision, recordTransition } from "../intents/transition";
import { operatorContext } from "../merchants/operator";
import { merchantClock } from "../merchants/settings";
import { PAYMENTS } from "../payments/kind";
import { PAYOUTS } from "../payouts/kind";
import { TOPUPS } from "../topups/kind";
import { isAsProposed } from "./digest";
import { endRefund } from "./end-refund";
import { findSubject, type ResolutionSubject } from "./subject";
import { requireNamed, requireNotMaker, requireNotProposer } from "./two-people";

/**
 * Ends the intent or refund as proposed, with its event, postings and audit entries, in one commit with the confirmation. Throws
 * not_found; approval_required for the person who proposed it, made the payout or proposed the refund; validation_failed if it is already
 * decided, or while a call to the provider may still be in flight. Throws it too if the intent was sent, reported or
 * changed since; the proposal is then superseded.
 */
export async function confirmResolution(id: string, operator: Actor): Promise<StoredResolution> {
  requireNamed(operator);
  const resolution = await requireProposed(id);
  await requireNotProposer(resolution, operator);
  const { merchantId, environment, intentId, intentRevision } = resolution;
  const context = operatorContext(merchantId, environment, operator);
  const act = actOf(context);
  const subject = await findSubject(merchantId, intentId);
  if (!subject) throw notFoundError();
  await requireNotMaker(subject, operator);
  if (subject.intent.revision === intentRevision && !isAsProposed(subject, resolution)) {
    throw differsFromProposal("id", "a resolution");
  }
  const end = await endSubject(subject, resolution, context, act);
  if (end === "ended") return requireResolution(id);
  if (end === "decided_before") throw decidedAlready();
  const what = subject.kind === "suspense_refund" ? "refund" : "payout";
  if (end === "in_flight") {
    throw validationError(
      "id",
      `names a ${what} with a call from the last ten minutes that its provider may have accepted; wait and retry`,
    );
  }
  await decideResolution(resolution, "superseded", act);
  throw validationError(
    "id",
    "names a resolution of what was sent, reported or changed since the proposal; propose it again",
  );
}

/** in_flight: a call may still have an effect that the evidence says nothing of. outdated: something happened since. */
async function endSubject(
  subject: ResolutionSubject,
  resolution: StoredResolution,
  context: CallContext,
  act: Act,
): Promise<"ended" | "in_flight" | "outdated" | "decided_before"> {
  if (subject.kind === "suspense_refund") return endRefund(subject, resolution, context);
  const { intent, effect } = await endIntent(subject, resolution, context, act);
  if (effect === "moved") return "ended";
  return intent.revision === resolution.intentRevision && !(await isOutdated(resolution)) ? "in_flight" : "outdated";
}

/** Returns the resolution with this id. Throws not_found. */
export async function requireResolution(id: string): Promise<StoredResolution> {
  const resolution = isId("manualResolution", id) ? await findResolutionAcrossMerchants(id) : null;
  if (!resolution) throw noSuchResolution();
  return resolution;
}

/** Returns the error for an id without a resolution in the scope. */
export function noSuchResolution(): ServiceError {
  return new ServiceError("not_found", "There is no such resolution.");
}

/** Returns the open resolution with this id. Throws not_found, and validation_failed if it is decided. */
export async function requireProposed(id: string): Promise<StoredResolution> {
  const resolution = await requireResolution(id);
  if (resolution.state !== "proposed") throw decidedAlready(resolution.state);
  return resolution;
}

/** Returns the error for a second decision. */
export function decidedAlready(state = "decided"): ServiceError {
  return validationError("id", `names a resolution that is already ${state}`);
}

function endIntent(
  subject: AnyIntent,
  resolution: StoredResolution,
  context: CallContext,
  act: Act,
): Promise<RecordedDecision<IntentCore<string>>> {
  switch (subject.kind) {
    case "payment_intent":
      return record(PAYMENTS, subject.intent, decidePaymentResolution, { resolution, context, act });
    case "payout_intent":
      return record(PAYOUTS, subject.intent, decidePayoutResolution, { resolution, context, act });
    case "topup_intent":
      return record(TOPUPS, subject.intent, decideTopupResolution, { resolution, context, act });
  }
}

interface Confirmation {
  readonly resolution: StoredResolution;
  readonly context: CallContext;
  readonly act: Act;
}

/** Writes the transition and the confirmation together, or neither. */
async function record<Intent extends IntentCore<string>>(
  kind: IntentRecords<Intent>,
  intent: Intent,
  decide: (intent: Intent, resolution: Resolution, at: Date) => Decision<Intent>,
  { resolution, context, act }: Confirmation,
): Promise<RecordedDecision<Intent>> {
  const at = (await merchantClock(context.scope))();
  const { committer } = kind;
  const move: typeof committer.move = (plan, effects) =>
    committer.moveWith(plan, effects, async (transaction) => {
      if (!(await decideWithin(transaction, resolution, "confirmed", act))) throw decidedAlready();
    });
  const confirming = { ...kind, committer: { ...committer, move } };
  const effects = { context, at, reason: resolution.evidence };
  return recordTransition(confirming, intent, (current) => decide(current, resolution, at), effects);
}
