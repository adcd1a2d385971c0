// What every built-in adapter does about its account: proves to which one its key belongs, so that "not found" is about the
// account that received the call.
import type { NeverAccepted, NotSent, Unknown } from "@/server/domain/outcome";

/** `unproven`: the provider has not named the key's account yet. */
type AccountProof = "same" | "other" | "unproven";

export interface AccountGuard {
  /** True for the account of a merchant under the operator's account. */
  readonly isSubAccount: boolean;
  /** Compares an account id of any answer with the configured one. */
  note(found: string): AccountProof;
  /** Asks the provider unless an earlier answer has proven it. */
  prove(signal: AbortSignal): Promise<AccountProof>;
}

const OTHER_ACCOUNT = "the secret key belongs to another account than the configured one";

/** The outcome of a call that was not made, since the key belongs to another account. */
export const WRONG_ACCOUNT: NotSent = { kind: "not_sent", detail: OTHER_ACCOUNT };

const UNPROVEN: NotSent = { kind: "not_sent", detail: "the provider did not confirm the account" };

/**
 * Returns why a call that creates something must not be made, or null. `unless` is "proven" where nothing may be created in an
 * account that the provider has not confirmed.
 */
export async function reasonNotToCreate(
  guard: AccountGuard,
  signal: AbortSignal,
  unless: "proven" | "other",
): Promise<NotSent | null> {
  const proof = await guard.prove(signal);
  if (proof === "other") return WRONG_ACCOUNT;
  return proof === "unproven" && unless === "proven" ? UNPROVEN : null;
}

/** Returns an outcome that a person must resolve. */
export function forOperator(detail: string): Unknown {
  return { kind: "unknown", detail, needsOperator: true };
}

/**
 * Returns the guard of one configured account; `find` returns the id that the provider names, or null. A key belongs to
 * one account for good, so one proof is enough.
 */
export function createAccountGuard(
  account: string,
  find: (signal: AbortSignal) => Promise<string | null>,
): AccountGuard {
  let proof: AccountProof = "unproven";
  const note = (found: string): AccountProof => {
    if (proof !== "other") proof = found === account ? "same" : "other";
    return proof;
  };
  return {
    isSubAccount: false,
    note,
    async prove(signal) {
      if (proof !== "unproven") return proof;
      const found = await find(signal);
      return found === null ? "unproven" : note(found);
    },
  };
}

/** Returns what it means that the provider does not have a reference: it counts only if the key's account is proven. */
export async function unknownReference(guard: AccountGuard, signal: AbortSignal): Promise<NeverAccepted | Unknown> {
  const proof = await guard.prove(signal);
  if (proof === "same") return { kind: "never_accepted", detail: "the provider does not know the reference" };
  return proof === "other"
    ? forOperator(OTHER_ACCOUNT)
    : { kind: "unknown", detail: "the reference is not known, and the key's account is not proven" };
}
