import type { PresentedHistory } from "@/server/trpc/present/history";
import type { Texts } from "../i18n/dashboard-texts";
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
const actionsIn = (texts: Texts): Readonly<Record<string, readonly [title: string, tone: Tone]>> => ({
  create: [texts("intents.created"), "plain"],
  approve: [texts("intents.approved"), "good"],
  approve_partly: [texts("intents.approvedInPart"), "good"],
  cancel: [texts("intents.cancelled"), "over"],
  lapse: [texts("intents.lapsed"), "over"],
  expire: [texts("intents.expired"), "over"],
  provider_expired: [texts("intents.expiredAtTheProvider"), "over"],
  reroute: [texts("intents.givenToAnotherProvider"), "plain"],
  funds_dropped: [texts("intents.fundsGone"), "bad"],
  provider_settled: [texts("intents.paidOut"), "good"],
  provider_succeeded: [texts("intents.paid"), "good"],
  provider_declined: [texts("intents.declinedByTheProvider"), "bad"],
  provider_unavailable: [texts("intents.noProviderAcceptedIt"), "bad"],
  provider_requires_action: [texts("intents.waitingForThePayer"), "plain"],
  provider_pending: [texts("intents.payerActed"), "plain"],
  provider_instructions: [texts("intents.paymentInstructionsGiven"), "plain"],
  payer_cancelled: [texts("intents.cancelledByThePayer"), "bad"],
  part_seen: [texts("intents.partSeen"), "plain"],
  part_payment: [texts("intents.partArrived"), "plain"],
  part_confirmed: [texts("intents.partConfirmed"), "plain"],
  part_dropped: [texts("intents.partGone"), "bad"],
  await_confirmation: [texts("intents.quoteEnded"), "plain"],
  funds_seen: [texts("intents.fundsSeen"), "plain"],
  funds_confirmed: [texts("intents.fundsConfirmed"), "good"],
  bank_return: [texts("intents.returnedByTheBank"), "bad"],
  seen: [texts("intents.moreFundsSeen"), "plain"],
  overpayment: [texts("intents.overpaidCredited"), "good"],
  late_money: [texts("intents.lateMoneyKept"), "bad"],
  resolved_settled: [texts("intents.resolvedPaidOut"), "good"],
  resolved_succeeded: [texts("intents.resolvedByHandPaid"), "good"],
  resolved_failed: [texts("intents.resolvedByHandFailed"), "bad"],
  amount_mismatch: [texts("intents.mismatchKept"), "bad"],
});

function actionTitle(texts: Texts, action: string): readonly [string, Tone] {
  const name = action.slice(action.indexOf(".") + 1);
  const text = name.replaceAll("_", " ");
  return actionsIn(texts)[name] ?? [text.charAt(0).toUpperCase() + text.slice(1), "plain"];
}

/** The whole timeline, oldest first. */
export function happenings(texts: Texts, history: PresentedHistory): Happening[] {
  const audited = history.audit.map(({ id, action, actor, reason, at }): Happening => {
    const [title, tone] = actionTitle(texts, action);
    const notes = reason === null ? [] : [texts("intents.reasonReason", { reason })];
    return { key: id, at, title, tone, by: actorText(texts, actor), notes };
  });
  const attempts = history.attempts.map((attempt): Happening => {
    const { ordinal, provider, state, outcome, provider_reference, provider_code } = attempt;
    return {
      key: `attempt-${ordinal}`,
      at: attempt.started_at,
      title:
        ordinal === 1
          ? texts("intents.sentToProvider", { provider })
          : texts("intents.sentAttempt", { provider, ordinal }),
      by: null,
      tone: "plain",
      notes: [
        texts("intents.answerOutcome", { outcome: outcome ?? state }),
        ...(provider_reference === null
          ? []
          : [texts("intents.providersReferenceProviderReference", { providerReference: provider_reference })]),
        ...(provider_code === null
          ? []
          : [texts("intents.providersCodeProviderCode", { providerCode: provider_code })]),
      ],
    };
  });
  const { event } = history;
  const reported: Happening[] = event
    ? [
        {
          key: event.id,
          at: event.at,
          title: texts("intents.eventType", { type: event.type }),
          by: null,
          tone: "plain",
          notes:
            event.failure_message === null
              ? []
              : [texts("intents.messageFailureMessage", { failureMessage: event.failure_message })],
          made: event.id,
        },
      ]
    : [];
  // Sorting is stable: within one instant, a cause comes before its effect.
  return [...audited, ...attempts, ...reported].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
