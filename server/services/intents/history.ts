// What a person is told about an intent beside the intent itself: everything that happened, and who is behind it.
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
import type { RoutingDecision } from "@/server/domain/routing";
import type { Actor } from "@/server/domain/scope";
import { statedName } from "../merchants/operator";

export interface IntentHistory {
  readonly audit: readonly (AuditRecord & { readonly actorName: string | null })[];
  readonly attempts: readonly AttemptRecord[];
  readonly event: EventRecord | null;
  readonly entries: readonly EntryRecord[];
  /** Who has it now, and the decision by which it came there. */
  readonly routing: RoutingDecision & { readonly provider: string };
}

/** All that is recorded about an intent that the caller has already found in its scope. */
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
  };
}

export interface PayoutPeople {
  /** Address of the member or name of the key that made the payout; null when neither is known. */
  readonly makerName: string | null;
  readonly approvals: readonly (ApprovalRecord & { readonly memberName: string | null })[];
}

interface Made {
  readonly id: string;
  readonly createdBy: Actor;
}

/** Who made each of these payouts, all of one merchant, and who has approved it. */
export async function peopleOfPayouts(
  merchantId: string,
  payouts: readonly Made[],
): Promise<ReadonlyMap<string, PayoutPeople>> {
  const ids = payouts.map(({ id }) => id);
  const approvals = await listApprovalsOf(merchantId, ids);
  const actors = [...payouts.map(({ createdBy }) => createdBy.id), ...approvals.map(({ memberId }) => memberId)];
  const names = await findNames(merchantId, [...new Set(actors)]);
  return new Map(
    payouts.map(({ id, createdBy }) => [
      id,
      {
        makerName: names.get(createdBy.id) ?? null,
        approvals: approvals
          .filter(({ payoutId }) => payoutId === id)
          .map((approval) => ({ ...approval, memberName: names.get(approval.memberId) ?? null })),
      },
    ]),
  );
}
