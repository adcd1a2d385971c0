// Idempotent execution: one effect per (API key, Idempotency-Key), every later answer a replay (interface §8).
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Claim, Seal } from "@/server/db/commit/unit";
import { isRefusedBy } from "@/server/db/failures";
import {
  claimKey,
  endLeasesAcrossMerchants,
  findKey,
  forgetExpiredKey,
  giveBackKey,
  type KeyRecord,
  type LeasedKey,
  sealKey,
  takeOverKey,
} from "@/server/db/idempotency";
import { type ErrorCode, ServiceError } from "@/server/domain/errors";
import { decideOnKey, type KeyUse } from "@/server/domain/idempotency";
import type { Scope } from "@/server/domain/scope";
import { digestMatches, keyedDigest } from "@/server/platform/crypto";
import { env } from "@/server/platform/env";
import { keyRing } from "@/server/platform/keys";
import { asServiceError } from "../outage";
import { noteAbandoned, wasAbandonedHere } from "./abandoned-here";
import { noteAnswered, wasAnsweredHere } from "./answered-here";
import { hideAnswer, showAnswer } from "./confidential-answer";
import { releaseOnceReachable } from "./release-abandoned";

/** A finished answer, sent and stored for replays byte for byte. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface IdempotentRequest {
  readonly scope: Scope;
  readonly apiKeyId: string;
  readonly key: string;
  /** Method, path and canonical body; only a keyed digest of it is ever stored. */
  readonly content: string;
  /** True if the answer contains a secret that is shown only once; it is then stored encrypted. */
  readonly isConfidential?: boolean;
}

/** Rejections that are stored and replayed as the outcome of an execution; all others leave the key unused. */
const STORED_REFUSALS: ReadonlySet<ErrorCode> = new Set([
  "duplicate_merchant_reference",
  "approval_required",
  "insufficient_balance",
  "payout_limit_exceeded",
]);

/** Thrown by an execution if its commit finds the key taken. */
export class KeyConflict extends Error {
  override readonly name = "KeyConflict";
}

/**
 * One execution's lease of its key. The first commit includes `claim`; `acquired` is set once the key is ours. The
 * commit that produces the answer includes `responseFor(answer)`. Without a key every member does nothing.
 */
export class IdempotencyLease {
  acquired = false;
  completed = false;
  /** Identifies this execution among all under the same key. */
  readonly holder = randomUUID();

  constructor(
    private readonly request: IdempotentRequest | null,
    /** The object of an earlier execution that died, to resume. */
    readonly resumedObjectId: string | null = null,
  ) {}

  /** The claim for a commit, or null without a key or if it is already ours. */
  get claim(): Claim | null {
    if (!this.request || this.acquired) return null;
    const { apiKeyId, key, content } = this.request;
    const fingerprint = keyedDigest(keyRing(), "idempotency-fingerprint", content);
    return { apiKeyId, key, fingerprint, holder: this.holder, leaseSeconds: env().idempotencyLeaseSeconds };
  }

  /** Returns the answer to store with its effect; null without a key. */
  responseFor(answer: Answer): Seal | null {
    if (!this.request) return null;
    const { apiKeyId, key, isConfidential = false } = this.request;
    const body = isConfidential ? hideAnswer(this.request, answer.body) : answer.body;
    return { apiKeyId, key, status: answer.status, body };
  }

  /** Takes the key in a separate statement, for executions that need it before their first commit. */
  async take(): Promise<void> {
    const { claim, request } = this;
    if (!claim || !request) return;
    if (!(await claimKey(request.scope, claim))) throw new KeyConflict();
    this.acquired = true;
  }

  /** Stores the answer in a separate statement, unless a commit has; takes the key first if needed. */
  async complete(answer: Answer): Promise<void> {
    const seal = this.responseFor(answer);
    if (!seal || !this.request || this.completed) return;
    await this.take();
    if (!(await sealKey(this.request.scope.merchantId, seal))) throw new KeyConflict();
    this.completed = true;
  }
}

/**
 * Returns the result of the work. Throws KeyConflict if its transaction found another execution's answer under the key.
 */
export async function orKeyConflict<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (isRefusedBy(error, "idempotency_seal_pkey")) throw new KeyConflict();
    throw error;
  }
}

/** An execution: does its work under the lease and returns the answer. */
export type Execute = (lease: IdempotencyLease) => Promise<Answer>;

const ROUNDS = 5;

/**
 * Executes at most once per key. The optimistic path does not read the key table: the first commit includes the claim.
 * The record is read only after a lost claim or a rejection, or for a key that this process has answered. `refuse`
 * converts a rejection to its stored answer.
 */
export async function answerOnce(
  request: IdempotentRequest | null,
  execute: Execute,
  refuse: (error: ServiceError) => Answer,
): Promise<Answer & { readonly replayed: boolean }> {
  let lease = new IdempotencyLease(request);
  if (request && wasAnsweredHere(request)) {
    const replay = await resolveFromRecord(request, lease);
    if ("replayed" in replay) return replay;
    lease = replay;
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    try {
      const answer = await execute(lease);
      await lease.complete(answer);
      if (request) noteAnswered(request);
      return { ...answer, replayed: false };
    } catch (error) {
      if (!request) throw error;
      await handleFailure(request, lease, error, refuse);
    }
    const replay = await resolveFromRecord(request, lease);
    if ("replayed" in replay) return replay;
    lease = replay;
  }
  throw inFlight();
}

/** Throws the failure if it is the answer; returns if the record of the key decides. */
async function handleFailure(
  request: IdempotentRequest,
  lease: IdempotencyLease,
  error: unknown,
  refuse: (error: ServiceError) => Answer,
): Promise<void> {
  if (error instanceof KeyConflict) return;
  if (!(error instanceof ServiceError && STORED_REFUSALS.has(error.code))) return releaseKey(request, lease, error);
  const isStored = await storeRefusal(lease, refuse(error)).catch((fault: unknown) =>
    releaseKey(request, lease, fault),
  );
  if (isStored) throw error;
}

/** Stores the rejection as the key's answer. Returns false if another execution has completed the key. */
async function storeRefusal(lease: IdempotencyLease, answer: Answer): Promise<boolean> {
  try {
    await lease.complete(answer);
    return true;
  } catch (error) {
    if (error instanceof KeyConflict) return false;
    throw error;
  }
}

/**
 * How long the caller waits for its key's record in an outage, in ms. Releasing the key continues in the background.
 */
const RECORD_WITHIN_MS = 500;

/** Handles an error that is not stored: the key's record decides; without one, throws the error. */
async function releaseKey(request: IdempotentRequest, lease: IdempotencyLease, error: unknown): Promise<void> {
  const ours = heldBy(request, lease);
  const isOutage = isServiceUnavailable(error);
  const isOurFault = !(error instanceof ServiceError) || isOutage;
  // After a fault of ours, the work may have had its effect: the key stays, and a retry resumes it.
  const letGo = async () => {
    if (isOurFault) await endLeasesAcrossMerchants([ours]);
    else await giveBackKey(ours);
    return null;
  };
  // In an outage the caller cannot wait for the key's record or a late commit.
  if (isOurFault) noteEnded(request, lease, error);
  const record = lease.acquired ? letGo() : findKey(request.scope, request);
  const awaited = isOutage ? Promise.race([record, sleep(RECORD_WITHIN_MS, null, { ref: false })]) : record;
  if (!(await awaited.catch(() => null))) throw error;
}

/** Notes that the execution failed on our side without an answer; the next retry may take over its key. */
function noteEnded(request: IdempotentRequest, lease: IdempotencyLease, error: unknown): void {
  noteAbandoned(lease.holder);
  if (isServiceUnavailable(error)) releaseOnceReachable(heldBy(request, lease));
}

function heldBy({ scope: { merchantId }, apiKeyId, key }: IdempotentRequest, { holder }: IdempotencyLease): LeasedKey {
  return { merchantId, apiKeyId, key, holder };
}

function isServiceUnavailable(error: unknown): boolean {
  return asServiceError(error)?.code === "service_unavailable";
}

/** Returns what the record of a taken key means for this request: a replay, a lease to continue with, or a conflict. */
async function resolveFromRecord(
  request: IdempotentRequest,
  failed: IdempotencyLease,
): Promise<(Answer & { replayed: true }) | IdempotencyLease> {
  const record = await findKey(request.scope, request);
  const decision = decideOnKey(record && keyUse(record, request, failed));
  switch (decision.kind) {
    case "execute":
      return new IdempotencyLease(request);
    case "forget":
      await forgetExpiredKey(request.scope, request);
      return new IdempotencyLease(request);
    case "conflict":
      throw new ServiceError("idempotency_conflict", "The Idempotency-Key was used with a different request.");
    case "wait":
      throw inFlight();
    case "replay":
      return { ...decision.answer, body: showAnswer(request, decision.answer.body), replayed: true };
    case "resume": {
      const lease = new IdempotencyLease(request, decision.objectId);
      if (!(await takeOver(request, lease, decision.holder))) throw inFlight();
      lease.acquired = true;
      return lease;
    }
  }
}

function keyUse(record: KeyRecord, request: IdempotentRequest, failed: IdempotencyLease): KeyUse<Answer> {
  const { fingerprint, holder, expired, leaseLapsed, answer, objectId } = record;
  return {
    answer,
    holder,
    objectId,
    isExpired: expired,
    isSameRequest: digestMatches(keyRing(), "idempotency-fingerprint", fingerprint, request.content),
    // Our own claim, whose commit arrived without its reply.
    isOurs: holder === failed.holder || wasAbandonedHere(holder),
    isLeaseOver: leaseLapsed,
  };
}

/** Takes the key over for the lease. Returns false if another request was faster. */
async function takeOver(request: IdempotentRequest, lease: IdempotencyLease, from: string): Promise<boolean> {
  const { claim } = lease;
  try {
    return claim !== null && (await takeOverKey(request.scope.merchantId, claim, from));
  } catch (error) {
    // The takeover may be committed although its reply was lost.
    noteEnded(request, lease, error);
    throw error;
  }
}

function inFlight(): ServiceError {
  return new ServiceError("idempotency_conflict", "A request with this Idempotency-Key is still in progress.", 1);
}
