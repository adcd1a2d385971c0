// Creates payout intents: holds the funds, then waits at the gate or dispatches directly (interface §4.7).

import type { Verdict } from "@/server/db/commit/commit";
import { payoutIntents } from "@/server/db/intents/stores";
import { factsNeeded, requirementOf } from "@/server/domain/approval-policy";
import { insufficientBalanceError, ServiceError, validationError } from "@/server/domain/errors";
import { parseAmount } from "@/server/domain/money";
import { type NewPayoutIntent, newPayoutIntent, type PayoutIntent } from "@/server/domain/payout-intent";
import { type PayoutRecipient, recipientObstacle } from "@/server/domain/payout-recipient";
import { differingPayoutField } from "@/server/domain/payout-repeat";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { traceCreationOf } from "@/server/platform/tracing/tracing";
import { isSameAccount, lastFour, protectAccount } from "../account-numbers";
import { type ActivePolicy, activePolicy } from "../approval-policies/active";
import { dispatchReferenceFor } from "../dispatch-references/for-new";
import { type Completed, completionFor, type Idempotency } from "../idempotency/completion";
import { createOrRepeat, findResumed, noteClaim } from "../intents/creation";
import { recordCreation } from "../intents/transition";
import { requireAllowedIfMember } from "../members/acting-member";
import { clockOf, merchantClock, merchantSettings, requireEnabledCurrency } from "../merchants/settings";
import { requirePlausibleAccount } from "../recipients/check-digits";
import { chooseFor } from "../routing/choose";
import { PAYOUTS } from "./kind";
import { noFacts, readFacts } from "./policy-facts";
import { payoutSubject } from "./routing-subject";

export interface CreatePayout {
  /** Minor-unit text, as on the wire. */
  readonly amount: string;
  readonly currency: string;
  readonly country: string;
  readonly merchantReference: string;
  readonly recipient: {
    readonly type: "bank_account";
    readonly accountNumber: string;
    readonly bankCode: string;
    readonly holderName: string;
  };
  /** The saved recipient that these are the details of. */
  readonly saved?: PayoutRecipient;
  /** The batch that it is a line of, whose strictest line may require more approvals. */
  readonly batch?: { readonly id: string; readonly approvalsAtLeast: number };
}

/** Maximum attempts to decide on the approvals; an attempt fails if the day's total has grown meanwhile. */
const ROUNDS = 10;

/** The limits of payouts that the database enforces in the creating statement, in the caller's words. */
const EXCEEDED: Readonly<Partial<Record<Verdict, string>>> = {
  exceeds_key_limit: "The payout exceeds a limit of this API key: of one payout, or of its payouts of the day.",
  exceeds_recipient_limit: "The payout exceeds the limit of a recipient's payouts of the day.",
  exceeds_merchant_limit: "The payout exceeds a limit of the merchant: of one payout, or of all payouts of the day.",
};

/**
 * Creates a payout intent, its hold and its answer in one commit. Returns `created` with the new intent, or `repeated`
 * with the original for a repeated merchant reference. Throws validation_failed, duplicate_merchant_reference,
 * insufficient_balance, payout_limit_exceeded, and Forbidden for a member without the role.
 */
export async function createPayoutIntent(
  context: CallContext,
  command: CreatePayout,
  idempotency: Idempotency<PayoutIntent>,
): Promise<Completed<PayoutIntent>> {
  await requireAllowedIfMember(context, "create_payouts");
  const { scope } = context;
  const resumed = await findResumed(payoutIntents, scope, idempotency.lease);
  if (resumed) return { intent: resumed, completion: "created" };
  const { merchantReference } = command;
  const differingField = (original: PayoutIntent) => differenceOf(original, command);
  const repeat = { store: payoutIntents, scope, merchantReference, differingField };
  return createOrRepeat(repeat, () => create(context, command, idempotency));
}

/** Returns the new intent, or null if the merchant reference is taken. */
async function create(
  context: CallContext,
  command: CreatePayout,
  idempotency: Idempotency<PayoutIntent>,
): Promise<PayoutIntent | null> {
  const { scope } = context;
  const { lease } = idempotency;
  const [merchant, active] = await Promise.all([merchantSettings(scope.merchantId), activePolicy(scope)]);
  requireEnabledCurrency(merchant, "currency", command.currency);
  const amount = parseAmount(command.amount, command.currency);
  if (amount === null) throw validationError("amount", "has too many digits for its currency");
  // A saved one was checked when it was saved.
  if (merchant.checksAccounts && !command.saved)
    requirePlausibleAccount({ ...command, ...command.recipient }, "recipient.");
  const id = lease.resumedObjectId ?? newId("payoutIntent");
  traceCreationOf(id);
  const dispatchReference = dispatchReferenceFor(merchant, { ...command, scope, kind: "payoutIntent", id });
  const chosen = chooseFor(payoutSubject(command, scope), dispatchReference);
  if (!chosen) throw validationError("currency", "cannot be paid out: no provider is configured for it");

  const { saved, batch, ...given } = command;
  if (saved) requireUsable(saved, clockOf(merchant, scope.environment)());
  const { accountNumber } = command.recipient;
  const draft = {
    ...given,
    id,
    dispatchReference,
    scope,
    amount,
    recipient: { ...command.recipient, accountLast4: lastFour(accountNumber) },
    account: protectAccount({ merchantId: scope.merchantId, id }, accountNumber),
    provider: chosen.gateway.name,
    routing: chosen.routing,
    createdBy: context.actor,
    recipientId: saved?.id ?? null,
    batchId: batch?.id ?? null,
  };
  const { intent, verdict } = await record(
    context,
    draft,
    { ...active, atLeast: batch?.approvalsAtLeast ?? 0 },
    idempotency,
  );
  noteClaim(lease, verdict);
  if (verdict === "insufficient_balance") throw insufficientBalanceError();
  if (verdict === "recipient_not_usable") throw validationError("recipient_id", "cannot be paid: it was removed");
  const limit = EXCEEDED[verdict];
  if (limit) throw new ServiceError("payout_limit_exceeded", limit);
  if (verdict !== "committed") return null;
  lease.completed = true;
  return intent;
}

function requireUsable(saved: PayoutRecipient, at: Date): void {
  const obstacle = recipientObstacle(saved, at);
  if (obstacle === "removed") throw validationError("recipient_id", "cannot be paid: it was removed");
  if (obstacle === "cooling_off")
    throw validationError("recipient_id", `cannot be paid before ${saved.usableFrom.toISOString()}: it is new`);
}

type Draft = Omit<NewPayoutIntent, "approvalsRequired" | "policyVersion" | "dailyTotalBelow" | "recipient"> & {
  readonly recipient: CreatePayout["recipient"] & { readonly accountLast4: string };
};

/**
 * Writes the payout with the approvals that its policy requires. If these depend on the day's total and other payouts
 * have raised it meanwhile, the write fails and the approvals are decided again.
 */
async function record(
  context: CallContext,
  draft: Draft,
  active: ActivePolicy & { readonly atLeast: number },
  idempotency: Idempotency<PayoutIntent>,
) {
  const { claim } = idempotency.lease;
  const clock = await merchantClock(draft.scope);
  const { accountNumber: _number, ...recipient } = draft.recipient;
  const { policy, version: policyVersion, atLeast } = active;
  const needed = factsNeeded(policy, draft);
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = clock();
    const facts = needed.size > 0 ? await readFacts(draft.scope, needed, draft, draft.recipient, at) : noFacts(draft);
    const { approvals, dailyTotalBelow } = requirementOf(policy, draft, facts);
    const requirement = { approvalsRequired: Math.max(approvals, atLeast), policyVersion, dailyTotalBelow };
    const { intent, transactions } = newPayoutIntent({ ...draft, ...requirement, recipient }, at);
    const seal = completionFor(idempotency, intent, "created");
    const verdict = await recordCreation(PAYOUTS, intent, transactions, { context, claim, seal });
    if (verdict !== "daily_total_moved") return { intent, verdict };
  }
  throw new ServiceError("service_unavailable", "The day's payouts are changing too quickly; retry.", 1);
}

/** The first field in which the command differs economically from the original, or null. */
export function differenceOf(original: PayoutIntent, command: CreatePayout): string | null {
  const field = differingPayoutField(original, { ...command, amount: BigInt(command.amount) });
  return field ?? (isSameAccount(original, command.recipient.accountNumber) ? null : "recipient.account_number");
}
