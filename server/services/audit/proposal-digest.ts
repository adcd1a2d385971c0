// The keyed digest of what one person proposes and another confirms: it proves that this service stored the row, as it is.
import { type ServiceError, validationError } from "@/server/domain/errors";
import { digestMatches, keyedDigest } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

/** The digest to be stored with a proposal of this text: `<key id>.<hex>`. */
export function proposalDigest(text: string): string {
  return keyedDigest(keyRing(), "proposal", text);
}

/** False for a proposal that was inserted or edited past the service, or stored by a release without keyed digests. */
export function matchesProposal(digest: string | null, text: string): boolean {
  return digest !== null && digestMatches(keyRing(), "proposal", digest, text);
}

/** The refusal to confirm such a proposal; `path` is the parameter that names it, `what` says what it is. */
export function differsFromProposal(path: string, what: string): ServiceError {
  return validationError(path, `names ${what} that differs from what was proposed; reject it, and propose it again`);
}
