// The dashboard's procedures on payouts from a file.
import { z } from "zod";
import { createBatchBody, previewBatchBody } from "@/server/contract/payout-batches";
import { stepUpProof } from "@/server/contract/step-up";
import type { BatchLine } from "@/server/domain/payout-batch";
import { peopleOfPayouts } from "@/server/services/intents/history";
import { approveBatch, batchDigest, batchStanding, getBatch } from "@/server/services/payout-batches/approve";
import { createBatch } from "@/server/services/payout-batches/create";
import { previewBatch } from "@/server/services/payout-batches/preview";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { presentPayout } from "./present/payout";
import { memberProcedure, router } from "./procedures";

export const payoutBatchesRouter = router({
  /** What would become of each line. It writes nothing; a mutation, because a file is too long for an address. */
  preview: memberProcedure("create_payouts")
    .input(previewBatchBody)
    .mutation(async ({ ctx: { call }, input }) => {
      const { lines, approvalsRequired, digest } = await previewBatch(call, input.text);
      return {
        lines: lines.map((line) => ({ ...presentLine(line), verdict: line.verdict })),
        approvals_required: approvalsRequired,
        digest,
      };
    }),

  create: memberProcedure("create_payouts")
    .input(createBatchBody.extend(stepUpProof.shape))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "create_payout", input);
      const { id, lines } = await createBatch(call, { text: input.text, name: input.name, digest: input.digest });
      return { id, lines: lines.map((line) => ({ ...presentLine(line), outcome: line.outcome })) };
    }),

  get: memberProcedure("read_intents")
    .input(z.object({ id: z.string().max(64) }))
    .query(async ({ ctx: { call }, input: { id } }) => {
      const { scope, actor } = call;
      const payouts = await getBatch(scope, id);
      const [people, { open, obstacle }] = await Promise.all([
        peopleOfPayouts(scope.merchantId, payouts, actor.id),
        batchStanding(scope.merchantId, payouts, actor.id),
      ]);
      const presented = people.map((each) => presentPayout(each, actor.id));
      return {
        id,
        payouts: presented,
        made_by: presented[0]?.made_by ?? null,
        created_at: presented[0]?.created_at ?? "",
        /** As many as the strictest payout requires. */
        approvals_required: Math.max(...payouts.map(({ approvalsRequired }) => approvalsRequired)),
        /** How many payouts await this member. */
        open: open.length,
        obstacle,
        /** An approval sends it back; it identifies what is shown here. */
        digest: batchDigest(payouts),
      };
    }),

  /** One signed approval of each payout that awaits this member; the result of each. */
  approve: memberProcedure("decide_payouts")
    .input(z.object({ ...stepUpProof.shape, id: z.string().max(64), digest: z.string().max(64) }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "approve", input);
      return approveBatch(call, { id: input.id, digest: input.digest });
    }),
});

function presentLine(line: Omit<BatchLine, "verdict">) {
  return {
    line: line.line,
    holder_name: line.holderName,
    account_last4: line.accountLast4,
    bank_code: line.bankCode,
    currency: line.currency,
    amount: line.amount === null ? null : line.amount.toString(),
    reference: line.reference,
    message: line.message,
    payout_id: line.payoutId,
  };
}
