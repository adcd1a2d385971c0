// The dashboard's procedures on payouts: the list and its queue, one payout with its history, approving, cancelling.

import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { amountParameters, sortParameter } from "@/server/contract/list-addresses";
import { listPayoutIntentsQuery } from "@/server/contract/lists";
import { cancelPayoutIntentBody } from "@/server/contract/payout-intents";
import { payRecipientBody } from "@/server/contract/payout-recipients";
import { stepUpProof } from "@/server/contract/step-up";
import type { ListSort } from "@/server/domain/list-order";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import { orderedRoute, presentPage, readListQuery } from "@/server/http/list";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { intentHistory, peopleOfPayouts } from "@/server/services/intents/history";
import { getIntent, listIntents } from "@/server/services/intents/read";
import { COUNT_CAP, watchIntents } from "@/server/services/intents/watch";
import { approvePayoutIntent } from "@/server/services/payouts/approve";
import { cancelPayoutIntent } from "@/server/services/payouts/cancel";
import { createPayoutToRecipient } from "@/server/services/payouts/create-to-recipient";
import { decideOnHold, type ScreeningView, screeningFor } from "@/server/services/payouts/decide-hold";
import { PAYOUTS } from "@/server/services/payouts/kind";
import { countWaitingFor } from "@/server/services/payouts/waiting";
import { payoutWarnings } from "@/server/services/payouts/warnings";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { reasonOf, toTrpcError } from "./errors";
import { positionOf, presentWatched, shownInput } from "./lists";
import { presentHistory } from "./present/history";
import { type PresentedPayout, presentPayout } from "./present/payout";
import { memberProcedure, router } from "./procedures";

/** The route to which the cursors are bound: REST and the dashboard share it. */
const ROUTE = "/payout_intents";
const MAXIMUM_AT_ONCE = 50;

/** The REST list's parameters, and `waiting_for_me`: payouts at the gate that this member may still approve. */
const listInput = listPayoutIntentsQuery.extend({ ...amountParameters, waiting_for_me: z.boolean().optional() });

/** A payout, and the digest that was shown with it. */
const approvalInput = z.object({ id: z.string(), digest: z.string() });

function readList(
  { scope, actor }: CallContext,
  input: z.output<typeof listInput> & { readonly sort?: ListSort | undefined },
) {
  const read = readListQuery(scope, ROUTE, input);
  const decidableBy = input.waiting_for_me ? actor.id : undefined;
  return { ...read, filter: { ...read.filter, decidableBy } };
}

async function presentAll({ scope, actor }: CallContext, intents: readonly PayoutIntent[]) {
  const people = await peopleOfPayouts(scope.merchantId, intents, actor.id);
  return people.map((each) => presentPayout(each, actor.id));
}

async function presentOne(call: CallContext, intent: PayoutIntent) {
  const [presented] = await presentAll(call, [intent]);
  return presented as PresentedPayout;
}

export const payoutIntentsRouter = router({
  list: memberProcedure("read_intents")
    .input(listInput.extend(sortParameter))
    .query(async ({ ctx: { call }, input }) => {
      const { filter, order, after, limit } = readList(call, input);
      const page = await listIntents(PAYOUTS, call.scope, filter, after, limit, order);
      const data = await presentAll(call, page.rows);
      return { ...presentPage(call.scope, orderedRoute(ROUTE, order), page, ({ id }) => id), data };
    }),

  watch: memberProcedure("read_intents")
    .input(listInput.omit({ cursor: true, limit: true }).extend({ shown: shownInput }))
    .query(async ({ ctx: { call }, input }) => {
      const { filter } = readList(call, input);
      const shown = { filter, newest: positionOf(input.shown), ids: input.shown.ids };
      const watched = await watchIntents(PAYOUTS, call.scope, shown);
      return presentWatched(watched, await presentAll(call, watched.intents));
    }),

  /** The number of payouts that await this member; counting stops at `cap`. */
  waiting: memberProcedure("decide_payouts").query(async ({ ctx: { call } }) => ({
    waiting: await countWaitingFor(call.scope, call.actor.id),
    cap: COUNT_CAP,
  })),

  /** What earlier payouts say about those of the payouts that await approval. */
  warnings: memberProcedure("decide_payouts")
    .input(z.object({ ids: z.array(z.string().max(64)).max(100) }))
    .query(async ({ ctx: { call }, input }) =>
      (await payoutWarnings(call.scope, input.ids)).map(({ payoutId, isFirstTimeRecipient, repeated }) => ({
        id: payoutId,
        is_first_time_recipient: isFirstTimeRecipient,
        /** Another payout of the same sum to the same account, not long before or after. */
        repeated: repeated && { id: repeated.id, created_at: formatInstant(repeated.createdAt) },
      })),
    ),

  get: memberProcedure("read_intents")
    .input(z.object({ id: z.string() }))
    .query(async ({ ctx: { call, allows }, input }) => {
      const intent = await getIntent(PAYOUTS, call.scope, input.id);
      const [payout, history, screening] = await Promise.all([
        presentOne(call, intent),
        intentHistory(intent),
        screeningFor(intent, call.actor.id),
      ]);
      return {
        payout,
        history: presentHistory(history, allows("read_providers")),
        screening: screening && presentScreening(screening),
      };
    }),

  /**
   * A payout to a saved recipient, which the member makes and then cannot approve. A repeated merchant reference returns the
   * original.
   */
  create: memberProcedure("create_payouts")
    .input(payRecipientBody.extend(stepUpProof.shape))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "create_payout", input);
      const { recipient_id: recipientId, amount, merchant_reference: merchantReference } = input;
      const { intent, completion } = await createPayoutToRecipient(call, { recipientId, amount, merchantReference });
      return { payout: await presentOne(call, intent), is_repeated: completion === "repeated" };
    }),

  /** Takes the digest of what was on the screen, and approves the payout only in that form. */
  approve: memberProcedure("decide_payouts")
    .input(approvalInput.extend(stepUpProof.shape))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "approve", input);
      const { id, digest } = input;
      return presentOne(call, await approvePayoutIntent(call, { id, digest }));
    }),

  /** Approves each payout separately: one that has changed does not block the others. */
  approveMany: memberProcedure("decide_payouts")
    .input(stepUpProof.extend({ payouts: z.array(approvalInput).min(1).max(MAXIMUM_AT_ONCE) }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "approve", input);
      const each = new Map(input.payouts.map((approval) => [approval.id, approval]));
      return Promise.all([...each.values()].map((approval) => approveOneOfMany(call, approval)));
    }),

  /** Releases or refuses a payout that screening holds. */
  decideHold: memberProcedure("decide_payouts")
    .input(z.object({ ...stepUpProof.shape, id: z.string(), decision: z.enum(["release", "refuse"]) }))
    .mutation(async ({ ctx: { call }, input: { id, decision, ...proof } }) => {
      if (decision === "release") await requireStepUp(call, "approve", proof);
      return presentOne(call, await decideOnHold(call, { id, decision }));
    }),

  cancel: memberProcedure("decide_payouts")
    .input(cancelPayoutIntentBody.extend({ id: z.string() }))
    .mutation(async ({ ctx: { call }, input }) => {
      const command = { id: input.id, reason: input.reason ?? null };
      const { intent } = await cancelPayoutIntent(call, command, withoutIdempotency());
      return presentOne(call, intent);
    }),

  /** Cancels each payout separately, all for the same reason. */
  cancelMany: memberProcedure("decide_payouts")
    .input(cancelPayoutIntentBody.extend({ ids: z.array(z.string()).min(1).max(MAXIMUM_AT_ONCE) }))
    .mutation(async ({ ctx: { call }, input }) =>
      Promise.all([...new Set(input.ids)].map((id) => cancelOneOfMany(call, { id, reason: input.reason ?? null }))),
    ),
});

function presentScreening({ verdict, reason, reference, screenedAt, ...rest }: ScreeningView) {
  const { decision, decidedAt, obstacle } = rest;
  return {
    verdict,
    reason,
    reference,
    screened_at: formatInstant(screenedAt),
    decision,
    decided_at: decidedAt && formatInstant(decidedAt),
    obstacle,
  };
}

export type PresentedScreening = ReturnType<typeof presentScreening>;

async function approveOneOfMany(call: CallContext, approval: z.output<typeof approvalInput>) {
  const { id } = approval;
  try {
    const { status } = await approvePayoutIntent(call, approval);
    return { id, approved: true, status } as const;
  } catch (error) {
    const refusal = toTrpcError(error);
    return { id, approved: false, reason: reasonOf(refusal), message: refusal.message } as const;
  }
}

async function cancelOneOfMany(call: CallContext, command: { readonly id: string; readonly reason: string | null }) {
  const { id } = command;
  try {
    const { intent } = await cancelPayoutIntent(call, command, withoutIdempotency());
    return { id, cancelled: true, status: intent.status } as const;
  } catch (error) {
    const refusal = toTrpcError(error);
    return { id, cancelled: false, reason: reasonOf(refusal), message: refusal.message } as const;
  }
}
