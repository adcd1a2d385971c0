// The history of an intent as the dashboard shows it, with the names of the people behind each step.
import { findStandings, type PayoutStanding } from "@/server/db/approver-standings";
import {
  type ApprovalRecord,
  type AttemptRecord,
  type AuditRecord,
  type EntryRecord,
  type EventRecord,
  findEventOf,
  findNames,
  listApprovalsOf,
  listAttemptsOf,
  listAuditOf,
  listEntriesOf,
} from "@/server/db/history";
import { notFoundError } from "@/server/domain/errors";
import type { RoutingDecision } from "@/server/domain/routing";
import type { Actor } from "@/server/domain/scope";
import { statedName } from "../merchants/operator";
import { type ProviderObjects, providerObjects } from "./provider-objects";

export interface IntentHistory {
  readonly audit: readonly (AuditRecord & { readonly actorName: string | null })[];
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
  const names = await findNames(merchantId, [...new Set(audit.map(({ actorId }) => actorId))]);
  return {
    audit: audit.map((entry) => ({
      ...entry,
      actorName: names.get(entry.actorId) ?? statedName(entry.actorType, entry.actorId),
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
  /** Email address of the member or name of the API key that created the payout; null if unknown. */
  readonly makerName: string | null;
  readonly approvals: readonly (ApprovalRecord & { readonly memberName: string | null })[];
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
  const names = await findNames(merchantId, [...new Set(actors)]);
  return payouts.map((payout) => {
    const { id, createdBy } = payout;
    const standing = standings.find(({ payoutId }) => payoutId === id);
    if (!standing) throw notFoundError();
    return {
      payout,
      makerName: names.get(createdBy.id) ?? null,
      approvals: approvals
        .filter(({ payoutId }) => payoutId === id)
        .map((approval) => ({ ...approval, memberName: names.get(approval.memberId) ?? null })),
      standing,
    };
  });
}
