import { cancelPayoutIntentBody } from "@/server/contract/payout-intents";
import { validationError } from "@/server/domain/errors";
import { presentPayoutIntent } from "@/server/http/present/payout-intent";
import { approvePayoutAs, cancelPayoutAs } from "@/server/services/members/payout-decisions";
import { type Command, defineCommand, optional, required } from "../command";

const approve = defineCommand({
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

function checkReason(reason: string | null): string | null {
  if (reason === null) return null;
  const { error } = cancelPayoutIntentBody.safeParse({ reason });
  if (error) throw validationError("reason", error.issues[0]?.message ?? "is not acceptable");
  return reason;
}

const cancel = defineCommand({
  name: "payouts cancel",
  summary: "Cancel a payout that waits for approval",
  options: {
    id: required("ID", "the payout intent"),
    as: required("ADDRESS", "the member who cancels"),
    reason: optional("TEXT", "stored on the payout and sent in its event; at most 512 characters"),
    merchant: optional("ID", "the merchant, where the address and the payout do not say it alone"),
  },
  run: async ({ id, as, reason, merchant }) => {
    const request = { email: as, payoutId: id, merchantId: merchant };
    return presentPayoutIntent(await cancelPayoutAs(request, checkReason(reason)));
  },
});

export const payouts: readonly Command[] = [approve, cancel];
