// Owns reading the approvals of payouts.
import { prisma } from "./client";

export interface GivenApproval {
  readonly memberId: string;
  /** SHA-256, hex, over what was shown, at that revision. */
  readonly digest: string;
  readonly revision: number;
  readonly policyVersion: number;
  readonly createdAt: Date;
}

/** The approvals of a payout, in the order in which they were given. */
export async function findApprovals(payout: { merchantId: string; id: string }): Promise<GivenApproval[]> {
  return prisma().approval.findMany({
    where: { merchantId: payout.merchantId, payoutId: payout.id },
    select: { memberId: true, digest: true, revision: true, policyVersion: true, createdAt: true },
    orderBy: [{ createdAt: "asc" }, { memberId: "asc" }],
  });
}
