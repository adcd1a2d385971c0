// The dashboard's procedures on refunds of money in suspense: one member proposes, another confirms.
import { z } from "zod";
import { stepUpProof } from "@/server/contract/step-up";
import { REFUND_OUTCOMES } from "@/server/domain/manual-resolution";
import { confirmRefund, rejectRefund } from "@/server/services/refunds/decide";
import { proposeRefund } from "@/server/services/refunds/propose";
import { proposeResolution } from "@/server/services/resolutions/propose";
import { rejectResolution } from "@/server/services/resolutions/reject";
import { requireRefund } from "@/server/services/resolutions/subject";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { memberProcedure, router } from "./procedures";

const decide = memberProcedure("decide_exceptions");
const named = z.object({ id: z.string().max(64) });
const text = z.string().max(10_000);

const decision = ({ id, state }: { readonly id: string; readonly state: string }) => ({ id, state });

export const refundsRouter = router({
  /** Proposes to send the money of the exception `id` back to its payer. */
  propose: decide
    .input(named.extend({ ...stepUpProof.shape, reason: text }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "settle", input);
      return decision(await proposeRefund(call, input.id, input.reason));
    }),

  /** Confirms a refund as another person than its proposer; the worker then sends it. */
  confirm: memberProcedure("decide_payouts")
    .input(named.extend(stepUpProof.shape))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "settle", input);
      return decision(await confirmRefund(call, input.id));
    }),

  /** Rejects a proposed refund, or withdraws one's own; nothing moves. */
  reject: decide
    .input(named)
    .mutation(async ({ ctx: { call }, input }) => decision(await rejectRefund(call, input.id))),

  /** Proposes how a refund ended whose provider gives no clear answer; an operator who is another person confirms it. */
  proposeEnd: decide
    .input(
      named.extend({
        ...stepUpProof.shape,
        outcome: z.enum(REFUND_OUTCOMES),
        evidence: text,
        provider_reference: z.string().max(255).nullable().default(null),
      }),
    )
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "settle", input);
      const { outcome, evidence, provider_reference: providerReference } = input;
      await requireRefund(call.scope, input.id);
      return decision(await proposeResolution(call, input.id, { outcome, evidence, providerReference, amount: null }));
    }),

  /** Rejects such a proposal, or withdraws one's own; the refund stays as it is. */
  rejectEnd: decide
    .input(named)
    .mutation(async ({ ctx: { call }, input }) => decision(await rejectResolution(call, input.id))),
});
