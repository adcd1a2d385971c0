// The keyed digest of a proposal that another person confirms. It proves that this service stored the row unchanged.
import { type ServiceError, validationError } from "@/server/domain/errors";
import { digestMatches, keyedDigest } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

/** Returns the digest to store with a proposal of this text: `<key id>.<hex>`. */
export function proposalDigest(text: string): string {
  return keyedDigest(keyRing(), "proposal", text);
}

/**
 * Returns false for a proposal inserted or edited directly in the database, or stored by a release without keyed
 * digests.
 */
export function matchesProposal(digest: string | null, text: string): boolean {
  return digest !== null && digestMatches(keyRing(), "proposal", digest, text);
}

/** Returns the error for confirming such a proposal; `path` is the parameter that names it, `what` its kind. */
export function differsFromProposal(path: string, what: string): ServiceError {
  return validationError(path, `names ${what} that differs from what was proposed; reject it, and propose it again`);
}
