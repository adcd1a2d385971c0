// What a call about an intent has to respect of the calls before it.
import type { Attempt } from "@/server/db/attempts";
import { NeedsOperator } from "@/server/domain/errors";
import type { CallHistory, Gateway } from "@/server/psp/gateway";

/** Attempts with these outcomes certainly did not reach the provider's books. */
const WITHOUT_TRACE: ReadonlySet<string | null> = new Set(["never_accepted", "not_sent"]);

/**
 * Returns what is recorded of the calls that can have reached the provider, and the sub-account that a further call uses: that of
 * those calls, or else the one that is configured for the merchant. Throws NeedsOperator if one of them went to another account
 * at the provider, or if they went to several sub-accounts: "not found" would then prove nothing.
 */
export function callHistory(attempts: readonly Attempt[], gateway: Gateway, merchantId: string): CallHistory {
  const { name, account } = gateway;
  const arrived = attempts.filter(({ provider, outcome }) => provider === name && !WITHOUT_TRACE.has(outcome));
  const other = arrived.find((attempt) => attempt.account !== null && attempt.account !== account);
  if (other) {
    throw new NeedsOperator(
      `a call to ${name} went to another account than its present one`,
      `It was sent to account ${other.account} of ${name}, but ${name} is configured for ${account ?? "none"}.`,
    );
  }
  const [first] = arrived;
  if (!first) return { subAccount: subAccountFor(gateway, merchantId) };
  const { subAccount } = first;
  const elsewhere = arrived.find((attempt) => attempt.subAccount !== subAccount);
  if (elsewhere) {
    throw new NeedsOperator(
      `calls to ${name} went to several sub-accounts`,
      `It was sent to ${described(subAccount)} and to ${described(elsewhere.subAccount)} of ${name}.`,
    );
  }
  const providerReference = arrived.findLast((attempt) => attempt.providerReference !== null)?.providerReference;
  return { earlier: { providerReference: providerReference ?? null, account: account ?? null }, subAccount };
}

/**
 * Returns the sub-account that new work of the merchant goes to; null where the provider has none. Throws NeedsOperator if the
 * provider has sub-accounts, but none for this merchant: its money would arrive in the operator's own account.
 */
function subAccountFor({ name, subAccounts }: Gateway, merchantId: string): string | null {
  if (subAccounts === undefined) return null;
  const own = subAccounts[merchantId];
  if (own !== undefined) return own;
  throw new NeedsOperator(
    `${name} has no sub-account for ${merchantId}`,
    `${name} sends work of its merchants to their sub-accounts, and names none for this merchant.`,
  );
}

function described(subAccount: string | null): string {
  return subAccount === null ? "no sub-account" : `sub-account ${subAccount}`;
}
