import type { PayoutStatus } from "@/server/domain/payout-transitions";

/** The ids of those that await approval: what the query of their warnings asks for. */
export function waitingIds(payouts: readonly { readonly id: string; readonly status: PayoutStatus }[]): string[] {
  return payouts.filter(({ status }) => status === "requires_approval").map(({ id }) => id);
}
