// Owns the command by which a member approves a payout.
import { presentPayoutIntent } from "@/server/http/present/payout-intent";
import { approvePayoutAs } from "@/server/services/members/payout-decisions";
import { defineCommand, optional, required } from "../command";

export const payoutsApprove = defineCommand({
  name: "payouts approve",
  summary: "Approve a payout as one of its merchant's approvers",
  options: {
    id: required("ID", "the payout intent"),
    as: required("ADDRESS", "the member who approves"),
    merchant: optional("ID", "the merchant, where the address and the payout do not say it alone"),
  },
  run: async ({ id, as, merchant }) =>
    presentPayoutIntent(await approvePayoutAs({ email: as, payoutId: id, merchantId: merchant })),
});
