// The approval policy in effect as creating a payout sees it: cached for under a second, like a merchant's settings.
import { findCurrentPolicies } from "@/server/db/approval-policies";
import type { ApprovalPolicy } from "@/server/domain/approval-policy";
import { notFoundError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { createShortCache } from "@/server/platform/short-cache";

export interface ActivePolicy {
  readonly version: number;
  readonly policy: ApprovalPolicy;
}

const policies = createShortCache<ActivePolicy | null>("approval-policies");

function keyOf({ merchantId, environment }: Scope): string {
  return `${merchantId}/${environment}`;
}

async function load(scope: Scope): Promise<ActivePolicy | null> {
  const current = await findCurrentPolicies(scope);
  return current.find(({ state }) => state === "active") ?? null;
}

/** The policy in effect; a new one is seen within a second on every process. Throws not_found without such a merchant. */
export async function activePolicy(scope: Scope): Promise<ActivePolicy> {
  const active = await policies.get(keyOf(scope), () => load(scope));
  if (!active) throw notFoundError();
  return active;
}

/** Makes this process read the policy afresh. */
export function forgetActivePolicy(scope: Scope): void {
  policies.forget(keyOf(scope));
}
