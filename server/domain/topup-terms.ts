// What a merchant's top-ups are made under: conversion terms, and what becomes of a payment that is not as quoted.
import { FEE_MODES, type FeeMode } from "./fx";

/**
 * credit_actual: the wallet gets what was really paid, on the top-up's terms. hold: what differs is kept in suspense until
 * a person decides. refund: kept likewise, and to be sent back to the payer.
 */
export const TOPUP_POLICIES = ["credit_actual", "hold", "refund"] as const;
export type TopupPolicy = (typeof TOPUP_POLICIES)[number];

/** Kept on each top-up as they were at its creation. */
export interface TopupPolicies {
  /** For what exceeds the asked sum. */
  readonly overpayment: TopupPolicy;
  /** For a part that was paid when the quote ran out. */
  readonly underpayment: TopupPolicy;
  /** For funds that come after the end. */
  readonly latePayment: TopupPolicy;
}

/** Of one merchant in one environment. */
export interface TopupTerms extends TopupPolicies {
  readonly spreadBasisPoints: number;
  readonly feeMode: FeeMode;
}

/** Terms as somebody typed them; null leaves one as it is. */
export type TypedTopupTerms = { readonly [Term in keyof TopupTerms]: string | null };

const MAXIMUM_BASIS_POINTS = 10_000;

function oneOf<Choice extends string>(choices: readonly Choice[], typed: string): Choice | null {
  return choices.find((choice) => choice === typed) ?? null;
}

function basisPoints(typed: string): number | null {
  return /^(0|[1-9][0-9]{0,4})$/.test(typed) && Number(typed) <= MAXIMUM_BASIS_POINTS ? Number(typed) : null;
}

/** How each term is read from text, null when it is none; and what it must be. */
const TERMS: { readonly [Term in keyof TopupTerms]: readonly [(typed: string) => TopupTerms[Term] | null, string] } = {
  overpayment: [(typed) => oneOf(TOPUP_POLICIES, typed), TOPUP_POLICIES.join(", ")],
  underpayment: [(typed) => oneOf(TOPUP_POLICIES, typed), TOPUP_POLICIES.join(", ")],
  latePayment: [(typed) => oneOf(TOPUP_POLICIES, typed), TOPUP_POLICIES.join(", ")],
  feeMode: [(typed) => oneOf(FEE_MODES, typed), FEE_MODES.join(", ")],
  spreadBasisPoints: [basisPoints, `0 to ${MAXIMUM_BASIS_POINTS}`],
};

/** The terms that were typed, or the first that is none and what it must be one of. */
export function readTerms(
  typed: TypedTopupTerms,
): { readonly terms: Partial<TopupTerms> } | { readonly fault: keyof TopupTerms; readonly choices: string } {
  const terms: Record<string, unknown> = {};
  for (const [name, [read, choices]] of Object.entries(TERMS)) {
    const term = name as keyof TopupTerms;
    const text = typed[term];
    if (text === null) continue;
    const value = read(text);
    if (value === null) return { fault: term, choices };
    terms[term] = value;
  }
  return { terms };
}
