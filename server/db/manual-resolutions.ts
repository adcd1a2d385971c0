// The rows of manual resolutions: proposed by one person, decided by another, each with its audit entry.
import type { Resolution, ResolutionOutcome, ResolutionState } from "@/server/domain/manual-resolution";
import { type Actor, type Environment, recordedActor, type Scope } from "@/server/domain/scope";
import { withinMerchantOrAll } from "@/server/platform/reach";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query, queryAcrossMerchants } from "./client";
import type { Transaction } from "./transaction";

export interface StoredResolution extends Resolution, Scope {
  readonly id: string;
  readonly intentId: string;
  /** Of the amount; null where nothing moved. */
  readonly currency: string | null;
  readonly evidence: string;
  /** Keyed, over the proposal and the intent as it was shown; SHA-256 where a release without keyed ones stored it. */
  readonly digest: string;
  readonly state: ResolutionState;
  readonly proposedBy: Actor;
  readonly proposedAt: Date;
  readonly decidedBy: Actor | null;
  readonly decidedAt: Date | null;
}

interface Row {
  merchant_id: string;
  id: string;
  environment: Environment;
  intent_id: string;
  intent_revision: number;
  outcome: ResolutionOutcome;
  amount: string | null;
  currency: string | null;
  provider_reference: string | null;
  evidence: string;
  digest: string;
  state: ResolutionState;
  proposed_by_type: Actor["type"];
  proposed_by_id: string;
  proposed_at: Date;
  decided_by_type: Actor["type"] | null;
  decided_by_id: string | null;
  decided_at: Date | null;
}

const COLUMNS = `merchant_id, id, environment, intent_id, intent_revision, outcome, amount::text, currency,
  provider_reference, evidence, digest, state, proposed_by_type, proposed_by_id, proposed_at, decided_by_type,
  decided_by_id, decided_at`;

function fromRow(row: Row): StoredResolution {
  const { decided_by_type: type, decided_by_id: id } = row;
  return {
    merchantId: row.merchant_id,
    id: row.id,
    environment: row.environment,
    intentId: row.intent_id,
    intentRevision: row.intent_revision,
    outcome: row.outcome,
    amount: row.amount === null ? null : BigInt(row.amount),
    currency: row.currency,
    providerReference: row.provider_reference,
    evidence: row.evidence,
    digest: row.digest,
    state: row.state,
    proposedBy: { type: row.proposed_by_type, id: row.proposed_by_id },
    proposedAt: row.proposed_at,
    decidedBy: type !== null && id !== null ? { type, id } : null,
    decidedAt: row.decided_at,
  };
}

/** What a proposal says, without who made it. */
export type NewResolution = Omit<StoredResolution, "state" | "proposedBy" | "proposedAt" | "decidedBy" | "decidedAt">;

/** The facts of a resolution that the audit log records, apart from its evidence. */
function auditFacts(resolution: StoredResolution) {
  const { intentId, intentRevision, outcome, amount, currency, providerReference, state, digest } = resolution;
  return {
    intent_id: intentId,
    intent_revision: intentRevision,
    outcome,
    amount: amount?.toString() ?? null,
    currency,
    provider_reference: providerReference,
    state,
    digest,
  };
}

/**
 * Stores a proposal, in place of an open one about an earlier revision of the intent. Another one that is open about this
 * revision refuses it by `manual_resolution_one_proposed`.
 */
export function insertResolution(proposal: NewResolution, act: Act): Promise<StoredResolution> {
  const { merchantId, environment, intentId, intentRevision, evidence } = proposal;
  const actor = recordedActor(act.actor);
  return inTransaction(async (transaction) => {
    const stale = await transaction.query<Row>(
      `SELECT ${COLUMNS} FROM manual_resolution
       WHERE merchant_id = $1 AND intent_id = $2 AND state = 'proposed' AND intent_revision <> $3 FOR UPDATE`,
      merchantId,
      intentId,
      intentRevision,
    );
    for (const row of stale) await decideWithin(transaction, fromRow(row), "superseded", act);
    const [row] = await transaction.query<Row>(
      `INSERT INTO manual_resolution (merchant_id, id, environment, intent_id, intent_revision, outcome, amount, currency,
                                      provider_reference, evidence, digest, state, proposed_by_type, proposed_by_id,
                                      proposed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7::numeric, $8, $9, $10, $11, 'proposed', $12, $13, $14::timestamptz)
       RETURNING ${COLUMNS}`,
      merchantId,
      proposal.id,
      environment,
      intentId,
      intentRevision,
      proposal.outcome,
      proposal.amount?.toString() ?? null,
      proposal.currency,
      proposal.providerReference,
      evidence,
      proposal.digest,
      actor.type,
      actor.id,
      act.at,
    );
    const stored = fromRow(row as Row);
    const change = { merchantId, environment, action: "manual_resolution.propose", objectId: stored.id };
    await recordChange(transaction, { ...change, before: null, after: { ...auditFacts(stored), evidence } }, act);
    return stored;
  });
}

const VERBS = { confirmed: "confirm", rejected: "reject", superseded: "supersede" } as const;

/** Decides on a proposal in somebody else's transaction; null when it is decided already. */
export async function decideWithin(
  transaction: Transaction,
  resolution: StoredResolution,
  state: keyof typeof VERBS,
  act: Act,
): Promise<StoredResolution | null> {
  const { merchantId, environment, id: objectId } = resolution;
  const { at } = act;
  const actor = recordedActor(act.actor);
  // Clocks of two machines may differ: nothing is decided before it was proposed.
  const [row] = await transaction.query<Row>(
    `UPDATE manual_resolution
     SET state = $3, decided_by_type = $4, decided_by_id = $5, decided_at = greatest(proposed_at, $6::timestamptz)
     WHERE merchant_id = $1 AND id = $2 AND state = 'proposed' RETURNING ${COLUMNS}`,
    merchantId,
    objectId,
    state,
    actor.type,
    actor.id,
    at,
  );
  if (!row) return null;
  const decided = fromRow(row);
  const change = { merchantId, environment, action: `manual_resolution.${VERBS[state]}`, objectId };
  await recordChange(transaction, { ...change, before: auditFacts(resolution), after: auditFacts(decided) }, act);
  return decided;
}

/** Decides on a proposal without moving its intent; null when it is decided already. */
export function decideResolution(
  resolution: StoredResolution,
  state: "rejected" | "superseded",
  act: Act,
): Promise<StoredResolution | null> {
  return inTransaction((transaction) => decideWithin(transaction, resolution, state, act));
}

/** True when the payout or refund was sent, or reported by a provider, after the proposal: then its evidence says nothing of that. */
export async function isOutdated({ merchantId, intentId, proposedAt }: StoredResolution): Promise<boolean> {
  const [row] = await query<{ outdated: boolean }>(
    "SELECT has_news_since($1, $2, $3::timestamptz) AS outdated",
    merchantId,
    intentId,
    proposedAt,
  );
  return row?.outdated ?? false;
}

/** The resolution of an id, or null: the operator who names it need not know whose it is. */
export async function findResolutionAcrossMerchants(id: string): Promise<StoredResolution | null> {
  const [row] = await queryAcrossMerchants<Row>(`SELECT ${COLUMNS} FROM manual_resolution WHERE id = $1`, id);
  return row ? fromRow(row) : null;
}

/** The scope's resolutions of those intents or refunds, the oldest first. */
export async function listResolutionsOf(
  { merchantId, environment }: Scope,
  ids: readonly string[],
): Promise<StoredResolution[]> {
  const rows = await query<Row>(
    `SELECT ${COLUMNS} FROM manual_resolution
     WHERE merchant_id = $1 AND environment = $2 AND intent_id = ANY($3::text[]) ORDER BY proposed_at, id`,
    merchantId,
    environment,
    ids,
  );
  return rows.map(fromRow);
}

/** Up to `count` resolutions, the oldest first; of every merchant where none is named. */
export async function listResolutionsAcrossMerchants(
  filter: { readonly merchantId: string | null; readonly openOnly: boolean },
  count: number,
): Promise<StoredResolution[]> {
  const rows = await withinMerchantOrAll(filter.merchantId, () =>
    query<Row>(
      `SELECT ${COLUMNS} FROM manual_resolution
       WHERE ($1::text IS NULL OR merchant_id = $1) AND (NOT $2 OR state = 'proposed')
       ORDER BY proposed_at, id LIMIT $3`,
      filter.merchantId,
      filter.openOnly,
      count,
    ),
  );
  return rows.map(fromRow);
}

/** Up to `count` open proposals about intents and refunds that have ended since, the oldest first. */
export async function findOvertakenAcrossMerchants(count: number): Promise<StoredResolution[]> {
  const ends = {
    payment_intent: "due_at IS NULL",
    payout_intent: "due_at IS NULL",
    topup_intent: "due_at IS NULL",
    // Whether a settled refund came back is asked for a while.
    suspense_refund: "ended_at IS NOT NULL",
  };
  const ended = Object.entries(ends).map(
    ([table, isEnded]) =>
      `EXISTS (SELECT FROM ${table} i WHERE i.merchant_id = r.merchant_id AND i.id = r.intent_id AND i.${isEnded})`,
  );
  const rows = await queryAcrossMerchants<Row>(
    `SELECT ${COLUMNS} FROM manual_resolution r
     WHERE state = 'proposed' AND (${ended.join(" OR ")}) ORDER BY proposed_at LIMIT $1`,
    count,
  );
  return rows.map(fromRow);
}
