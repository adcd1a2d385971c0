// Tries to apply a stored callback: reads it, finds the intent it reports on, and records the report.

import { findOwnerAcrossMerchants } from "@/server/db/attempts";
import type { StoredCallback } from "@/server/db/callbacks";
import { findDispatchedRefund } from "@/server/db/suspense-refunds";
import { isTopupCallbackApplied, rememberTopupCallback } from "@/server/db/topup-callbacks";
import type { UnappliedReason } from "@/server/domain/callback";
import { NeedsOperator, ServiceError } from "@/server/domain/errors";
import { NOBODY } from "@/server/domain/exceptions";
import type { Environment, Scope } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { namesKind } from "@/server/platform/dispatch-reference";
import { log } from "@/server/platform/log";
import type { CallbackReading } from "@/server/psp/gateway";
import { callbackReceiver } from "@/server/psp/registry";
import { findDispatchedIntent, KINDS } from "../intent-kinds";
import { merchantClock } from "../merchants/settings";
import { pollRefund } from "../refunds/follow-up";
import { applyUpdate } from "./apply-update";
import { noteCallback } from "./channels";
import { digestState } from "./digest";
import { pollHintedIntent, uselessness } from "./poll-hint";
import { recordEvidence } from "./record-evidence";

/** The result of a try. */
export type CallbackTry = { readonly result: "applied" | "ignored"; readonly scope: Scope } | CallbackFailure;

export interface CallbackFailure {
  readonly result: UnappliedReason;
  /** For staff. */
  readonly why: string;
  /** The merchant that the callback names, if known. */
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly reference: string | null;
  readonly intentId: string | null;
}

/** A reading with the merchant found by the reference, if the callback names only that. */
export type LocatedReading = CallbackReading extends infer Reading
  ? Reading extends CallbackReading
    ? Omit<Reading, "merchantId"> & { readonly merchantId: string | null }
    : never
  : never;

/**
 * Parses a callback and finds the merchant of one that names only a reference: the merchant whose intent was sent under it to the
 * account that the callback is about.
 */
export async function readCallback(callback: StoredCallback): Promise<LocatedReading> {
  const reading = parseCallback(callback);
  if (reading.merchantId !== null) return reading;
  return { ...reading, merchantId: await findOwnerOf(callback, reading) };
}

/** The merchant in the running work's cell whose intent was sent under the reference that a callback names; null for none. */
export async function findOwnerOf(
  { provider }: Pick<StoredCallback, "provider">,
  reading: LocatedReading,
): Promise<string | null> {
  if (reading.reference === null) return null;
  const subAccount = "subAccount" in reading ? (reading.subAccount ?? null) : null;
  return findOwnerAcrossMerchants(provider, subAccount, reading.reference);
}

/** Parses a callback, without the database; it is unreadable if its provider is no longer configured. */
export function parseCallback({
  provider,
  callbackId,
  body,
}: Pick<StoredCallback, "provider" | "callbackId" | "body">): CallbackReading {
  const unreadable = (why: string) => ({ kind: "unreadable", why, merchantId: null, reference: null }) as const;
  try {
    return callbackReceiver(provider)?.readCallback(body) ?? unreadable("the provider is not configured");
  } catch (error) {
    log().error({ err: error, provider, callbackId }, "a callback could not be read");
    return unreadable(INTERNAL);
  }
}

const INTERNAL = "an internal error; the log describes it";

const WHY_UNVERIFIED = {
  wrong:
    "its digest does not match: the row was edited or forged in the database, or the secret of its digest was removed",
  missing: "it has no digest: an older release stored it, or it was inserted by manual SQL",
} as const;

/**
 * Applies a parsed callback if its digest proves that the provider sent it unchanged. Applies one without a digest if
 * the caller accepts that. A provider reports only on intents that it has or had.
 */
export async function tryCallback(
  callback: StoredCallback,
  reading: LocatedReading,
  acceptsUnverified = false,
): Promise<CallbackTry> {
  const state = digestState(callback);
  if (state === "wrong" || (state === "missing" && !acceptsUnverified)) {
    const nothing = { merchantId: null, environment: null, reference: null, intentId: null };
    return { result: "unverified", why: WHY_UNVERIFIED[state], ...nothing };
  }
  return applyReading(callback, reading);
}

async function applyReading(callback: StoredCallback, reading: LocatedReading): Promise<CallbackTry> {
  const { provider, callbackId, receivedAt } = callback;
  if (reading.kind === "irrelevant") return { result: "ignored", scope: { merchantId: NOBODY, environment: "live" } };
  const { merchantId, reference } = reading;
  let environment: Environment | null = null;
  let intentId: string | null = null;
  const failed = (result: UnappliedReason, why: string): CallbackFailure => {
    return { result, why, merchantId, reference, environment, intentId };
  };
  try {
    const isNamed = merchantId !== null && reference !== null;
    const refund =
      isNamed && namesKind("suspenseRefund", reference) ? await findDispatchedRefund(merchantId, reference) : null;
    if (refund?.provider === provider && reading.kind === "hint") {
      ({ environment } = refund);
      const why = uselessness(await pollRefund(refund, await merchantClock(refund)));
      return why ? failed(why.isFinal ? "unreadable" : "failing", why.why) : { result: "applied", scope: refund };
    }
    const subject = isNamed ? await findDispatchedIntent(merchantId, reference) : null;
    const isGiven = subject?.intent.routing.order.includes(provider) ?? false;
    if (subject && isGiven) ({ id: intentId, environment } = subject.intent);
    if (reading.kind === "unreadable") return failed("unreadable", reading.why);
    if (!subject) return failed("unmatched", "the merchant has no such intent");
    ({ id: intentId, environment } = subject.intent);
    if (!isGiven) return failed("unmatched", "the intent was never sent to this provider");
    const scope = { merchantId: subject.intent.merchantId, environment };
    // A total that was applied once may undo what an operator has settled since. The answer to a hint is always current.
    const tellsTotal = subject.kind === "topup_intent" && reading.kind !== "hint";
    if (tellsTotal && (await isTopupCallbackApplied(scope.merchantId, callback))) return { result: "ignored", scope };
    const context = { scope, actor: { type: "provider", id: provider } as const, requestId: null, address: null };
    const source = { provider, receivedAt: reading.kind === "hint" ? now() : receivedAt };
    const outcomes = reading.kind === "hint" ? await pollHintedIntent(subject, provider) : reading.outcomes;
    const useless = reading.kind === "hint" ? uselessness(outcomes) : null;
    if (useless) return failed(useless.isFinal ? "unreadable" : "failing", useless.why);
    // Stored first, so that even after a crash an intent accepted by another provider is neither sent nor released.
    if (subject.intent.provider !== provider) await recordEvidence(subject, provider, outcomes);
    const { subject: after, hadEffect } = await applyUpdate(context, subject, outcomes, source);
    if (subject.kind !== "payout_intent") {
      await noteCallback({ provider, channel: KINDS[subject.kind].channel(subject.intent) });
    }
    let again = false;
    if (await recordEvidence(after, provider, outcomes)) {
      // The intent may have failed before the evidence was stored; the report then contradicts it.
      const fresh = (await findDispatchedIntent(scope.merchantId, reading.reference)) ?? after;
      again = (await applyUpdate(context, fresh, outcomes, source)).hadEffect;
    }
    // Last, since what fails before is done again by the next try.
    if (tellsTotal) await rememberTopupCallback(subject.intent, callback);
    return { result: hadEffect || again ? "applied" : "ignored", scope };
  } catch (error) {
    log().error({ err: error, provider, callbackId }, "a callback was not applied");
    if (error instanceof NeedsOperator) return failed("unreadable", error.why);
    return failed("failing", error instanceof ServiceError ? error.message : INTERNAL);
  }
}
