// The history of an intent as the dashboard shows it, with the names of the people behind each step.
import { findStandings, type PayoutStanding } from "@/server/db/approver-standings";
import {
  type ApprovalRecord,
  type AttemptRecord,
  type AuditRecord,
  type EntryRecord,
  type EventRecord,
  findEventOf,
  listApprovalsOf,
  listAttemptsOf,
  listAuditOf,
  listEntriesOf,
} from "@/server/db/history";
import { notFoundError } from "@/server/domain/errors";
import type { RoutingDecision } from "@/server/domain/routing";
import type { Actor } from "@/server/domain/scope";
import { actorNames, type NamedActor, namedActor } from "../members/names";
import { type ProviderObjects, providerObjects } from "./provider-objects";

export interface IntentHistory {
  readonly audit: readonly (AuditRecord & { readonly actor: NamedActor })[];
  readonly attempts: readonly AttemptRecord[];
  readonly event: EventRecord | null;
  readonly entries: readonly EntryRecord[];
  /** The intent's current provider, and the decision that chose it. */
  readonly routing: RoutingDecision & { readonly provider: string };
  /** What that provider calls the intent and its money. */
  readonly objects: ProviderObjects;
}

/** Returns the history of an intent that the caller has already found in its scope. */
export async function intentHistory(intent: {
  readonly merchantId: string;
  readonly id: string;
  readonly provider: string;
  readonly routing: RoutingDecision;
}): Promise<IntentHistory> {
  const { merchantId, id, provider, routing } = intent;
  const [audit, attempts, event, entries] = await Promise.all([
    listAuditOf(merchantId, id),
    listAttemptsOf(merchantId, id),
    findEventOf(merchantId, id),
    listEntriesOf(merchantId, id),
  ]);
  const people = audit.map(({ actorId }) => actorId);
  const names = await actorNames(merchantId, people);
  return {
    audit: audit.map((entry) => ({
      ...entry,
      actor: namedActor({ type: entry.actorType, id: entry.actorId }, names),
    })),
    attempts,
    event,
    entries,
    routing: { ...routing, provider },
    objects: providerObjects(intent, attempts, entries),
  };
}

export interface PayoutPeople<Payout extends MadePayout> {
  readonly payout: Payout;
  /** The member or API key that created the payout. */
  readonly maker: NamedActor;
  readonly approvals: readonly (ApprovalRecord & { readonly member: NamedActor })[];
  /** Of the member who looks at it. */
  readonly standing: PayoutStanding;
}

interface MadePayout {
  readonly id: string;
  readonly createdBy: Actor;
}

/**
 * Returns who created and who approved each payout, and whether the member may approve it, in the order of the payouts.
 * All payouts must belong to the merchant. Throws not_found.
 */
export async function peopleOfPayouts<Payout extends MadePayout>(
  merchantId: string,
  payouts: readonly Payout[],
  memberId: string,
): Promise<readonly PayoutPeople<Payout>[]> {
  const ids = payouts.map(({ id }) => id);
  const [approvals, standings] = await Promise.all([
    listApprovalsOf(merchantId, ids),
    findStandings(merchantId, ids, memberId),
  ]);
  const actors = [...payouts.map(({ createdBy }) => createdBy.id), ...approvals.map(({ memberId }) => memberId)];
  const names = await actorNames(merchantId, actors);
  return payouts.map((payout) => {
    const { id, createdBy } = payout;
    const standing = standings.find(({ payoutId }) => payoutId === id);
    if (!standing) throw notFoundError();
    return {
      payout,
      maker: namedActor(createdBy, names),
      approvals: approvals
        .filter(({ payoutId }) => payoutId === id)
        .map((approval) => ({
          ...approval,
          member: namedActor({ type: "member", id: approval.memberId }, names),
        })),
      standing,
    };
  });
}
