// The unit of work: what one commit writes beside the intent itself, in domain types, and its wire to the statement.

import { type CoveredTransaction, transactionId } from "@/server/domain/audit-cover";
import { envelopeText } from "@/server/domain/event-envelope";
import type { ExceptionFact } from "@/server/domain/exceptions";
import { clearingAccount, type LedgerEntry, type LedgerTransaction } from "@/server/domain/ledger";
import { type CallContext, recordedActor, type Scope } from "@/server/domain/scope";
import type { TotalStep } from "@/server/domain/topup-step";
import type { IntentCore, Plan } from "@/server/domain/transition";
import { newId } from "@/server/platform/ids";
import { type AuditedMapping, coveredInstructions, creationFacts, ledgerDigests } from "./audited";
import type { AnnouncedCall, AttemptAnswer } from "./calls";

/** An idempotency key to be won in the same commit. */
export interface Claim {
  readonly apiKeyId: string;
  readonly key: string;
  readonly fingerprint: string;
  /** Names the one execution that claims; only it may let go. */
  readonly holder: string;
  readonly leaseSeconds: number;
}

/** The answer to be stored for replays of a key. */
export interface Seal {
  readonly apiKeyId: string;
  readonly key: string;
  readonly status: number;
  readonly body: string;
}

/** One person's approval of a payout. */
export interface Approval {
  readonly memberId: string;
  /** Over what was shown, at that revision. */
  readonly digest: string;
  readonly revision: number;
  readonly policyVersion: number;
}

export interface Effects {
  readonly context: CallContext;
  readonly action: string;
  readonly reason?: string | null;
  readonly claim?: Claim | null;
  readonly seal?: Seal | null;
  /** A call to be announced with the change; without an ordinal, the first. */
  readonly attempt?: AnnouncedCall | null;
  readonly answer?: AttemptAnswer | null;
  readonly approval?: Approval | null;
  /** The exception opened with the change. */
  readonly exception?: ExceptionFact | null;
}

type Json = Readonly<Record<string, unknown>>;

/** The stored name of an entry's account. Throws RangeError for a clearing entry whose provider is not named. */
function accountName({ account }: LedgerEntry, provider: string | undefined): string {
  if (account !== "provider_clearing") return account;
  if (provider === undefined) throw new RangeError("an entry in provider_clearing needs a provider");
  return clearingAccount(provider);
}

/** A ledger transaction with the names of its accounts as stored, and the id that ties it to the entry of its commit. */
type CoveredBooking = Omit<LedgerTransaction, "entries"> & Pick<CoveredTransaction, "id" | "entries">;

function bookedAs(id: string, transaction: LedgerTransaction, intentProvider: string | undefined): CoveredBooking {
  const { provider = intentProvider, entries } = transaction;
  const named = entries.map((entry) => ({ ...entry, account: accountName(entry, provider) }));
  return { ...transaction, id, entries: named };
}

/** What a unit books, the exceptions that it opens beside the one of its effects, and what the audit log says of it. */
interface UnitContents {
  readonly transactions: readonly LedgerTransaction[];
  readonly exceptions?: readonly ExceptionFact[] | undefined;
  readonly before: Json | null;
  readonly after: Json;
  /** Provider of transactions that name none. */
  readonly intentProvider?: string;
}

/** What every unit has; `n` is added by the batch. */
function commonMembers(
  effects: Effects,
  at: Date,
  { transactions, exceptions = [], before, after, intentProvider }: UnitContents,
): Json {
  const { context, claim, seal, answer, approval, exception } = effects;
  const opened = exception ? [exception, ...exceptions] : exceptions;
  const auditId = newId("audit");
  const booked = transactions.map((transaction, place) =>
    bookedAs(transactionId(auditId, place), transaction, intentProvider),
  );
  const cover = {
    ledger: ledgerDigests(booked, context.scope, at),
    ...(approval && { approval: approvalMembers(approval) }),
    ...(answer && {
      answer: { id: answer.id, outcome: answer.outcome, provider_reference: answer.providerReference },
    }),
  };
  return {
    audit: auditMembers(auditId, effects, before, { ...after, ...cover }),
    merchant_id: context.scope.merchantId,
    environment: context.scope.environment,
    at,
    claim: claim && {
      api_key_id: claim.apiKeyId,
      key: claim.key,
      fingerprint: claim.fingerprint,
      holder: claim.holder,
      lease_seconds: claim.leaseSeconds,
    },
    seal: seal && { api_key_id: seal.apiKeyId, key: seal.key, status: seal.status, body: seal.body },
    answer: answer && {
      id: answer.id,
      state: answer.state,
      outcome: answer.outcome,
      provider_reference: answer.providerReference,
      provider_code: answer.providerCode,
    },
    approval: approval && approvalMembers(approval),
    transactions: booked.map(({ id, reason, uniqueKey, intentId, movementOrdinal, journaledIntentId }) => ({
      id,
      reason,
      unique_key: uniqueKey,
      intent_id: intentId,
      movement_ordinal: movementOrdinal,
      journaled_intent_id: journaledIntentId,
    })),
    entries: booked.flatMap(({ id, entries }) =>
      entries.map(({ account, currency, amount }) => ({
        transaction_id: id,
        kind: account,
        currency,
        amount: amount.toString(),
      })),
    ),
    ...(opened.length > 0 && { exceptions: opened.map(exceptionMembers) }),
  };
}

function exceptionMembers({ kind, objectId, fact, detail }: ExceptionFact): Json {
  return { id: newId("exception"), kind, object_id: objectId, fact, detail };
}

function approvalMembers({ memberId, digest, revision, policyVersion }: Approval): Json {
  return { member_id: memberId, digest, revision, policy_version: policyVersion };
}

function auditMembers(id: string, effects: Effects, before: Json | null, after: Json): Json {
  const { requestId, address } = effects.context;
  const actor = recordedActor(effects.context.actor);
  return {
    id,
    actor_type: actor.type,
    actor_id: actor.id,
    action: effects.action,
    before,
    after,
    reason: effects.reason ?? null,
    request_id: requestId,
    address,
  };
}

/** An intent as the audit log records it; `audited` are the columns of its kind that a transition changes. */
function auditedState({ status, revision, failure }: IntentCore<string>, audited: Json): Json {
  return { status, revision, failure, ...audited };
}

/** How an intent of a kind goes into units. */
interface UnitMapping<Intent> {
  toRow(intent: Intent): object;
  audited(intent: Intent): Json;
}

/** The call to be announced, under the reference that its provider will know the intent by. */
function attemptMembers({ attempt }: Effects, { dispatchReference: reference }: IntentCore<string>): Json | null {
  if (!attempt) return null;
  const { subAccount: sub_account, ...members } = attempt;
  return { ...members, ...(sub_account ? { sub_account } : {}), reference };
}

/** A new intent as a unit. */
export function creationUnit<Intent extends IntentCore<string>>(
  intent: Intent,
  mapping: UnitMapping<Intent> & AuditedMapping,
  transactions: readonly LedgerTransaction[],
  effects: Effects,
): Json {
  const row = mapping.toRow(intent);
  const after = {
    ...auditedState(intent, mapping.audited(intent)),
    ...coveredInstructions(row),
    facts: creationFacts(mapping, row),
  };
  return {
    id: intent.id,
    row,
    attempt: attemptMembers(effects, intent),
    ...commonMembers(effects, intent.createdAt, {
      transactions,
      before: null,
      after,
      intentProvider: intent.provider,
    }),
  };
}

function eventMembers(type: string, { id: intentId, environment, status, failure, updatedAt: at }: IntentCore<string>) {
  const id = newId("event");
  return {
    id,
    type,
    status,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    body: envelopeText({ id, type, at, environment, intentId, status, failure }),
  };
}

/** A transition plan as a unit, guarded by the status and revision the decision was made on. */
export function transitionUnit<Intent extends IntentCore<string>>(
  plan: Plan<Intent>,
  mapping: UnitMapping<Intent>,
  effects: Effects,
): Json {
  const { before, after, transactions, exceptions } = plan;
  const row = mapping.toRow(after);
  const states = {
    before: auditedState(before, mapping.audited(before)),
    after: { ...auditedState(after, mapping.audited(after)), ...coveredInstructions(row) },
  };
  return {
    id: after.id,
    row,
    from_status: before.status,
    from_revision: before.revision,
    event: plan.eventType && eventMembers(plan.eventType, after),
    attempt: attemptMembers(effects, after),
    ...commonMembers(effects, after.updatedAt, {
      transactions,
      exceptions,
      ...states,
      intentProvider: after.provider,
    }),
  };
}

function auditedEntries({ entries }: LedgerTransaction): Json {
  return { entries: entries.map((entry) => ({ ...entry, amount: entry.amount.toString() })) };
}

/** A booking as a unit; `objectId` is what the audit entry is about. */
export function bookingUnit(transaction: LedgerTransaction, objectId: string, at: Date, effects: Effects): Json {
  return {
    id: objectId,
    ...commonMembers(effects, at, { transactions: [transaction], before: null, after: auditedEntries(transaction) }),
  };
}

/** Where a step of a top-up's totals belongs. */
export interface TotalPlace extends Scope {
  readonly intentId: string;
  readonly ordinal: number;
  /** The number of the step's booking among those of the top-up. */
  readonly nextMovementOrdinal: number;
  /** The token that the totals count. */
  readonly token: string;
  readonly provider: string;
}

/** A step of a top-up's totals as a unit, guarded by its number. */
export function totalUnit(step: TotalStep, place: TotalPlace, at: Date, context: CallContext): Json {
  const { action, booking } = step;
  const effects: Effects = { context, action, exception: booking?.exception ?? null };
  const total = {
    ordinal: place.ordinal,
    currency: place.token,
    base_amount: step.base.toString(),
    reported_amount: step.reported.toString(),
    seen_amount: step.seen.toString(),
  };
  const row = { ...total, merchant_id: place.merchantId, intent_id: place.intentId, environment: place.environment };
  const after = { ...(booking ? auditedEntries(booking.transaction) : { seen_amount: total.seen_amount }), total };
  const transactions = booking ? [{ ...booking.transaction, movementOrdinal: place.nextMovementOrdinal }] : [];
  return {
    id: place.intentId,
    row,
    ...commonMembers(effects, at, { transactions, before: null, after, intentProvider: place.provider }),
  };
}
