// The limits of a new API key: scopes, networks and expiry.
import { type KeyLimits, MOST_KEY_NETWORKS } from "@/server/domain/api-key";
import { validationError } from "@/server/domain/errors";
import { parseNetworks } from "@/server/platform/client-address";

/** Throws validation_failed for an empty list, a network that is no CIDR, and an expiry that is not in the future. */
export function requireValidLimits({ scopes, networks, validUntil }: KeyLimits, at: Date): void {
  if (scopes?.length === 0) throw validationError("scopes", "must contain a scope; omit them for all");
  if (networks !== null) requireValidNetworks(networks);
  if (validUntil !== null && validUntil <= at) throw validationError("expires_at", "must be in the future");
}

function requireValidNetworks(networks: readonly string[]): void {
  if (networks.length === 0 || networks.length > MOST_KEY_NETWORKS)
    throw validationError("networks", `must contain 1 to ${MOST_KEY_NETWORKS} networks; omit them for all`);
  if (parseNetworks(networks) === null)
    throw validationError("networks", "must be CIDRs such as 203.0.113.0/24, 203.0.113.7/32 or 2001:db8::/48");
}
