// Presents the history of an intent in the dashboard.
import { formatInstant } from "@/server/contract/instants";
import type { IntentHistory } from "@/server/services/intents/history";

/** Instants and amounts as text, in chronological order. */
export function presentHistory({ audit, attempts, event, entries, routing }: IntentHistory) {
  return {
    audit: audit.map(({ id, action, actorType, actorId, actorName, reason, requestId, at }) => ({
      id,
      action,
      actor: { type: actorType, id: actorId, name: actorName },
      reason,
      request_id: requestId,
      at: formatInstant(at),
    })),
    attempts: attempts.map((attempt) => ({
      ordinal: attempt.ordinal,
      provider: attempt.provider,
      state: attempt.state,
      outcome: attempt.outcome,
      provider_reference: attempt.providerReference,
      provider_code: attempt.providerCode,
      started_at: formatInstant(attempt.startedAt),
      answered_at: attempt.answeredAt && formatInstant(attempt.answeredAt),
    })),
    event: event && {
      id: event.id,
      type: event.type,
      failure_code: event.failureCode,
      failure_message: event.failureMessage,
      at: formatInstant(event.at),
    },
    entries: entries.map(({ transactionId, reason, account, currency, amount, at }) => ({
      transaction_id: transactionId,
      reason,
      account,
      currency,
      amount: amount.toString(),
      at: formatInstant(at),
    })),
    routing: {
      provider: routing.provider,
      route: routing.route,
      others: routing.order.filter(
        (name) => name !== routing.provider && !routing.left.some(({ provider }) => provider === name),
      ),
      skipped: routing.skipped,
      left: routing.left,
    },
  };
}

export type PresentedHistory = ReturnType<typeof presentHistory>;
