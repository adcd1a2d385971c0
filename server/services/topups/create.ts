// Creates top-up intents: quotes, inserts, fetches the payment address and records it (interface §4.7).

import { topupIntents } from "@/server/db/intents/stores";
import type { Merchant } from "@/server/db/merchants";
import { isToken } from "@/server/domain/currencies";
import { validationError } from "@/server/domain/errors";
import { quoteTopup } from "@/server/domain/fx";
import { LARGEST_AMOUNT, parseAmount } from "@/server/domain/money";
import type { CallContext, Scope } from "@/server/domain/scope";
import { newTopupIntent, type TopupIntent } from "@/server/domain/topup-intent";
import { differingTopupField } from "@/server/domain/topup-repeat";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { traceCreationOf } from "@/server/platform/tracing/tracing";
import { isDispatchPaused } from "../dispatch/paused";
import { dispatchReferenceFor } from "../dispatch-references/for-new";
import type { Completed, Idempotency } from "../idempotency/completion";
import { sendFirstCall } from "../intents/ask";
import { answerDueAt } from "../intents/call";
import { createOrRepeat, findOriginal, findResumed, noteClaim, type Repeat } from "../intents/creation";
import { firstCallTo } from "../intents/fail-over";
import { recordCreation } from "../intents/transition";
import { requireAllowedIfMember } from "../members/acting-member";
import { clockOf, merchantSettings, requireEnabledCurrency } from "../merchants/settings";
import { type CreateTopup, findOffer, type RoutedOffer } from "./find-offer";
import { TOPUPS } from "./kind";

/**
 * Creates a top-up intent with a quoted rate and, if the provider answers in time, the payment instructions. Returns
 * `created` with the new intent, or `repeated` with the original for a repeated merchant reference. Throws
 * validation_failed, duplicate_merchant_reference, service_unavailable if no provider can quote a rate now, and Forbidden
 * for a member without the role.
 */
export async function createTopupIntent(
  context: CallContext,
  command: CreateTopup,
  idempotency: Idempotency<TopupIntent>,
): Promise<Completed<TopupIntent>> {
  await requireAllowedIfMember(context, "create_topups");
  const { scope } = context;
  const resumed = await findResumed(topupIntents, scope, idempotency.lease);
  if (resumed) return { intent: resumed, completion: "created" };
  const repeat = repeatOf(scope, command);
  // Quoting calls a provider; a repeat must not depend on that.
  const original = await findOriginal(repeat);
  if (original) return { intent: original, completion: "repeated" };
  return createOrRepeat(repeat, () => create(context, command, idempotency));
}

function repeatOf(scope: Scope, { destination, source, merchantReference }: CreateTopup): Repeat<TopupIntent> {
  const fields = {
    destinationAmount: BigInt(destination.amount),
    destinationCurrency: destination.currency,
    sourceType: source.type,
    sourceCurrency: source.currency,
  };
  const differingField = (original: TopupIntent) => differingTopupField(original, fields, source.provider);
  return { store: topupIntents, scope, merchantReference, differingField };
}

/** Returns the new intent with its provider's answer, or null if the merchant reference is taken. */
async function create(
  context: CallContext,
  command: CreateTopup,
  idempotency: Idempotency<TopupIntent>,
): Promise<TopupIntent | null> {
  const { scope } = context;
  const { lease } = idempotency;
  const merchant = await merchantSettings(scope.merchantId);
  const amount = checkSums(merchant, command);
  const id = lease.resumedObjectId ?? newId("topupIntent");
  traceCreationOf(id);
  const dispatchReference = dispatchReferenceFor(merchant, { ...command, scope, kind: "topupIntent", id });
  const { gateway, offer, routing } = await findOffer(command, scope, dispatchReference);
  const { currency } = command.destination;
  const work = { table: TOPUPS.table, provider: gateway.name, merchantId: scope.merchantId, currency };
  const isPaused = await isDispatchPaused(work);
  const clock = clockOf(merchant, scope.environment);
  const intent = quotedIntent(context, command, {
    id,
    dispatchReference,
    at: clock(),
    isPaused,
    amount,
    merchant,
    gateway,
    offer,
    routing,
  });
  const attempt = isPaused ? null : firstCallTo(gateway, scope);
  const announcedAt = now();
  const verdict = await recordCreation(TOPUPS, intent, [], { context, claim: lease.claim, attempt });
  noteClaim(lease, verdict);
  if (verdict === "reference_taken") return null;
  if (!attempt) return intent;
  return sendFirstCall({
    kind: TOPUPS,
    context,
    intent,
    gateway,
    attempt: { id: attempt.id, ordinal: 1, announcedAt },
    idempotency,
    clock,
  });
}

function checkSums(merchant: Merchant, { destination, source }: CreateTopup): bigint {
  requireEnabledCurrency(merchant, "destination.currency", destination.currency);
  if (!isToken(source.currency)) throw validationError("source.currency", "must be a token symbol such as USDT");
  const amount = parseAmount(destination.amount, destination.currency);
  if (amount === null) throw validationError("destination.amount", "has too many digits for its currency");
  return amount;
}

interface Quoting extends RoutedOffer {
  readonly id: string;
  readonly dispatchReference: string;
  readonly at: Date;
  readonly isPaused: boolean;
  readonly amount: bigint;
  readonly merchant: Merchant;
}

function quotedIntent({ scope }: CallContext, command: CreateTopup, quoting: Quoting): TopupIntent {
  const { id, dispatchReference, at, isPaused, amount, merchant, gateway, offer, routing } = quoting;
  const { source, destination } = command;
  const { feeMode, spreadBasisPoints, ...policies } = merchant.topupTerms[scope.environment];
  const quote = quoteTopup(
    amount,
    { sourceCurrency: source.currency, destinationCurrency: destination.currency },
    { rate: offer.rate, feeBasisPoints: offer.feeBasisPoints, spreadBasisPoints, feeMode },
  );
  if (quote.sourceAmount > LARGEST_AMOUNT) throw validationError("destination.amount", "is too large to convert");
  const fields = {
    ...scope,
    ...quote,
    id,
    dispatchReference,
    country: command.country,
    merchantReference: command.merchantReference,
    destinationAmount: amount,
    destinationCurrency: destination.currency,
    sourceType: source.type,
    provider: gateway.name,
    routing,
    network: source.network ?? offer.networks[0] ?? "",
    sourceCurrency: source.currency,
    feeMode,
    policies,
  };
  return newTopupIntent(fields, at, isPaused ? at : answerDueAt(at, gateway.name));
}
