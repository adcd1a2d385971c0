// Checks who may propose and confirm a manual resolution: two people, neither of whom made the payout or proposed the refund.

import { findMakers } from "@/server/db/approver-standings";
import type { StoredResolution } from "@/server/db/manual-resolutions";
import { findMemberById } from "@/server/db/member-credentials";
import { ServiceError, validationError } from "@/server/domain/errors";
import { type Actor, recordedActor } from "@/server/domain/scope";
import { OPERATOR } from "../merchants/operator";
import type { ResolutionSubject } from "./subject";

/** An operator who states a member's address is that member. */
async function isSamePerson(merchantId: string, one: Actor, other: Actor): Promise<boolean> {
  const member = one.type === "member" ? await findMemberById(merchantId, one.id) : null;
  const names = [one.id, member?.email.trim().toLowerCase()];
  return names.includes(other.id) || names.includes(recordedActor(other).id);
}

/** Throws validation_failed for an operator without a name, who cannot be distinguished from others. */
export function requireNamed({ type, id }: Actor): void {
  if (type === OPERATOR.type && id === OPERATOR.id) throw validationError("operator", "must name a person");
}

/** Throws approval_required for a person who made the payout, the API key that made it, or the member who proposed the refund. */
export async function requireNotMaker(subject: ResolutionSubject, actor: Actor): Promise<void> {
  const { merchantId } = subject.intent;
  const makers = await makersOf(subject);
  const same = await Promise.all(makers.map((maker) => isSamePerson(merchantId, maker, actor)));
  if (!same.includes(true)) return;
  const who = subject.kind === "suspense_refund" ? "proposed a refund" : "made a payout";
  throw new ServiceError("approval_required", `The person who ${who} cannot propose or confirm how it ended.`);
}

async function makersOf(subject: ResolutionSubject): Promise<readonly Actor[]> {
  if (subject.kind === "suspense_refund") return [{ type: "member", id: subject.refund.proposedBy }];
  if (subject.kind !== "payout_intent") return [];
  const { merchantId, id, createdBy } = subject.intent;
  return [createdBy, ...(await findMakers(merchantId, id)).map((maker): Actor => ({ type: "member", id: maker }))];
}

/** Throws approval_required for the person who proposed the resolution. */
export async function requireNotProposer({ merchantId, proposedBy }: StoredResolution, actor: Actor): Promise<void> {
  if (!(await isSamePerson(merchantId, proposedBy, actor))) return;
  throw new ServiceError("approval_required", "The person who proposed a resolution cannot confirm it.");
}
