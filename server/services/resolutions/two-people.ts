// Checks who may propose and confirm a manual resolution: two people, neither of whom made the payout.

import { findMakers } from "@/server/db/approver-standings";
import type { StoredResolution } from "@/server/db/manual-resolutions";
import { findMemberById } from "@/server/db/member-credentials";
import { ServiceError, validationError } from "@/server/domain/errors";
import { type Actor, recordedActor } from "@/server/domain/scope";
import type { AnyIntent } from "../intent-kinds";
import { OPERATOR } from "../merchants/operator";

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

/** Throws approval_required for a person who made the payout, or the API key that made it. */
export async function requireNotMaker({ kind, intent }: AnyIntent, actor: Actor): Promise<void> {
  if (kind !== "payout_intent") return;
  const { merchantId, id, createdBy } = intent;
  const makers = (await findMakers(merchantId, id)).map((maker): Actor => ({ type: "member", id: maker }));
  const same = await Promise.all([createdBy, ...makers].map((maker) => isSamePerson(merchantId, maker, actor)));
  if (!same.includes(true)) return;
  throw new ServiceError("approval_required", "The person who made a payout cannot propose or confirm how it ended.");
}

/** Throws approval_required for the person who proposed the resolution. */
export async function requireNotProposer({ merchantId, proposedBy }: StoredResolution, actor: Actor): Promise<void> {
  if (!(await isSamePerson(merchantId, proposedBy, actor))) return;
  throw new ServiceError("approval_required", "The person who proposed a resolution cannot confirm it.");
}
