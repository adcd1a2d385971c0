// Validates a person's finding about an intent or refund: an outcome of its kind, and a possible amount.

import type { NewResolution } from "@/server/db/manual-resolutions";
import { validationError } from "@/server/domain/errors";
import { creditsAnything, isResolvable, type ResolutionOutcome } from "@/server/domain/manual-resolution";
import { parseAmount } from "@/server/domain/money";
import { checkedText, MAXIMUM_EVIDENCE } from "../checked-text";
import type { ResolutionSubject } from "./subject";

/** The finding as entered. */
export interface FindingInput {
  readonly outcome: ResolutionOutcome;
  /** Minor units; for a top-up the total received in its source currency. */
  readonly amount: string | null;
  readonly providerReference: string | null;
  readonly evidence: string;
}

type Finding = Pick<NewResolution, "outcome" | "amount" | "currency" | "providerReference" | "evidence">;

/** Kinds whose money leaves. */
const LEAVES: readonly string[] = ["payout_intent", "suspense_refund"];

const REFERENCE = /^[\x20-\x7e]{1,255}$/;

/**
 * Returns the finding, checked against the intent. Throws validation_failed for an intent that no person can end, an
 * outcome of another kind, or an amount that does not fit it.
 */
export function checkedFinding(subject: ResolutionSubject, given: FindingInput): Finding {
  const { kind, intent } = subject;
  const { outcome, providerReference } = given;
  if (!isResolvable(kind, intent.status)) {
    throw validationError(
      "id",
      `names ${kind === "suspense_refund" ? "a refund" : "an intent"} that is ${intent.status} and cannot be resolved manually`,
    );
  }
  const allowed = [LEAVES.includes(kind) ? "settled" : "succeeded", "failed"];
  if (!allowed.includes(outcome)) throw validationError("outcome", `must be one of ${allowed.join(", ")}`);
  if (providerReference !== null && !REFERENCE.test(providerReference)) {
    throw validationError("provider_reference", "must be 1 to 255 printable ASCII characters");
  }
  const evidence = checkedText("evidence", given.evidence, MAXIMUM_EVIDENCE);
  const moved = outcome === "failed" ? nothing(given.amount) : movedSum(subject, given.amount);
  return { outcome, ...moved, providerReference, evidence };
}

type MovedSum = Pick<Finding, "amount" | "currency">;

function nothing(amount: string | null): MovedSum {
  if (amount !== null) throw validationError("amount", "must be omitted if no money moved");
  return { amount: null, currency: null };
}

function movedSum(subject: ResolutionSubject, given: string | null): MovedSum {
  const { kind, intent } = subject;
  const currency = currencyOf(subject);
  const amount = given === null ? null : parseAmount(given, currency);
  if (given !== null && amount === null) throw validationError("amount", `must be positive minor units of ${currency}`);
  switch (kind) {
    case "payout_intent":
      return { amount: amount ?? intent.amount, currency };
    case "payment_intent":
      if (amount === null || amount === intent.amount) return { amount: intent.amount, currency };
      throw validationError("amount", "must be the payment's amount; for any other sum, give failed as the outcome");
    case "suspense_refund":
      if (amount === null || amount === subject.refund.amount) return { amount: subject.refund.amount, currency };
      throw validationError(
        "amount",
        "must be the refund's amount; a journal entry books what left in addition or less",
      );
    case "topup_intent":
      if (amount !== null && creditsAnything(intent, amount)) return { amount, currency };
      throw validationError("amount", "must be the total received, and must credit at least one minor unit");
  }
}

function currencyOf(subject: ResolutionSubject): string {
  switch (subject.kind) {
    case "topup_intent":
      return subject.intent.sourceCurrency;
    case "suspense_refund":
      return subject.refund.currency;
    default:
      return subject.intent.currency;
  }
}
