import type { PresentedHistory } from "@/server/trpc/present/history";
import { actorText } from "./actor-text";

export interface Happening {
  readonly key: string;
  /** ISO 8601. */
  readonly at: string;
  readonly title: string;
  /** The actor; null for entries about the service itself. */
  readonly by: string | null;
  readonly notes: readonly string[];
  /** The id of the object that it made, with a page of its own. */
  readonly made?: string;
  readonly tone: "plain" | "good" | "bad" | "over";
}

type Tone = Happening["tone"];

/** Audit action, without its object → text of the timeline. */
const ACTIONS: Readonly<Record<string, readonly [title: string, tone: Tone]>> = {
  create: ["Created", "plain"],
  approve: ["Approved", "good"],
  approve_partly: ["Approved, and another approval is needed", "good"],
  cancel: ["Cancelled", "over"],
  lapse: ["Lapsed: nobody approved it in time", "over"],
  expire: ["Expired", "over"],
  provider_expired: ["Expired at the provider", "over"],
  reroute: ["Given to another provider", "plain"],
  funds_dropped: ["Funds seen before are gone", "bad"],
  provider_settled: ["Paid out by the provider", "good"],
  provider_succeeded: ["Paid", "good"],
  provider_declined: ["Declined by the provider", "bad"],
  provider_unavailable: ["No provider accepted it", "bad"],
  provider_requires_action: ["Waiting for the payer", "plain"],
  provider_pending: ["The payer acted; waiting for the provider", "plain"],
  provider_instructions: ["Payment instructions given", "plain"],
  payer_cancelled: ["Cancelled by the payer", "bad"],
  part_seen: ["Part of the sum seen", "plain"],
  part_payment: ["Part of the sum arrived", "plain"],
  part_confirmed: ["Part of the sum confirmed", "plain"],
  part_dropped: ["Part of the funds seen before is gone", "bad"],
  await_confirmation: ["Quote ended; waiting for funds to be confirmed", "plain"],
  funds_seen: ["Funds seen", "plain"],
  funds_confirmed: ["Funds confirmed", "good"],
  bank_return: ["Returned by the bank", "bad"],
  seen: ["More funds seen", "plain"],
  overpayment: ["More than asked for arrived and is credited", "good"],
  late_money: ["Money arrived late and is kept aside", "bad"],
  resolved_settled: ["Resolved by hand: paid out", "good"],
  resolved_succeeded: ["Resolved by hand: paid", "good"],
  resolved_failed: ["Resolved by hand: failed", "bad"],
  amount_mismatch: ["Another sum than agreed is kept aside", "bad"],
};

function actionTitle(action: string): readonly [string, Tone] {
  const name = action.slice(action.indexOf(".") + 1);
  const text = name.replaceAll("_", " ");
  return ACTIONS[name] ?? [text.charAt(0).toUpperCase() + text.slice(1), "plain"];
}

/** The whole timeline, oldest first. */
export function happenings(history: PresentedHistory): Happening[] {
  const audited = history.audit.map(({ id, action, actor, reason, at }): Happening => {
    const [title, tone] = actionTitle(action);
    const notes = reason === null ? [] : [`Reason: ${reason}`];
    return { key: id, at, title, tone, by: actorText(actor), notes };
  });
  const attempts = history.attempts.map((attempt): Happening => {
    const { ordinal, provider, state, outcome, provider_reference, provider_code } = attempt;
    return {
      key: `attempt-${ordinal}`,
      at: attempt.started_at,
      title: ordinal === 1 ? `Sent to ${provider}` : `Sent to ${provider}, attempt ${ordinal}`,
      by: null,
      tone: "plain",
      notes: [
        `Answer: ${outcome ?? state}`,
        ...(provider_reference === null ? [] : [`Provider's reference: ${provider_reference}`]),
        ...(provider_code === null ? [] : [`Provider's code: ${provider_code}`]),
      ],
    };
  });
  const { event } = history;
  const reported: Happening[] = event
    ? [
        {
          key: event.id,
          at: event.at,
          title: `Event ${event.type}`,
          by: null,
          tone: "plain",
          notes: event.failure_message === null ? [] : [`Message: ${event.failure_message}`],
          made: event.id,
        },
      ]
    : [];
  // Sorting is stable: within one instant, a cause comes before its effect.
  return [...audited, ...attempts, ...reported].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
