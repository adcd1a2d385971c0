// Presents the history of an intent in the dashboard.
import { formatInstant } from "@/server/contract/instants";
import type { IntentHistory } from "@/server/services/intents/history";
import type { ProviderObject } from "@/server/services/intents/provider-objects";
import { presentActor } from "./actor";

/** Instants and amounts as text, in chronological order. Without `showsPages` no address of a provider's dashboard. */
export function presentHistory(
  { audit, attempts, event, entries, routing, objects }: IntentHistory,
  showsPages: boolean,
) {
  const shown = ({ reference, page }: ProviderObject) => ({ reference, page: showsPages ? page : null });
  return {
    audit: audit.map(({ id, action, actor, reason, requestId, at }) => ({
      id,
      action,
      actor: presentActor(actor),
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
      /** What the provider calls the intent, and the money that it has other names for. */
      reference: objects.reference && shown(objects.reference),
      receipts: objects.receipts.map(shown),
      account: objects.subAccount,
    },
  };
}

export type PresentedHistory = ReturnType<typeof presentHistory>;
