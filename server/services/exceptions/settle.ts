// Settling money in suspense: credit it to the wallet, return it to the payer, or make good what is missing.

import type { StoredException } from "@/server/db/exceptions";
import { payoutIntents, topupIntents } from "@/server/db/intents/stores";
import { type SuspenseBooking, settleException as settleRow } from "@/server/db/suspense";
import { Forbidden, insufficientBalanceError, validationError } from "@/server/domain/errors";
import type { CreditTerms } from "@/server/domain/fx";
import { type CallContext, recordedActor, type Scope } from "@/server/domain/scope";
import { type Settlement, settlementsFor, settleSuspense } from "@/server/domain/suspense";
import { isId } from "@/server/platform/ids";
import { merchantSettings, requireWalletCurrency } from "../merchants/settings";
import { answeringAct, checkedResolution, moneyOf, orResolved, requireException } from "./decide";
import { hasTopupTerms, isOperatorsDecision } from "./operators-decision";

/**
 * Settles the exception's money and resolves it permanently, in one commit. Repeating the same decision changes nothing.
 * Throws as `resolveException` does, validation_failed if no money is in suspense or the decision does not fit it,
 * insufficient_balance if the wallet cannot cover the recovery, and Forbidden for a member who decides what the operator
 * pays for.
 */
export async function settleException(
  context: CallContext,
  id: string,
  as: Settlement,
  resolution: string,
): Promise<StoredException> {
  const text = checkedResolution(resolution);
  const { scope } = context;
  const act = await answeringAct(context);
  const exception = await requireException(scope, id);
  const money = await moneyOf(exception);
  if (!money) throw validationError("id", "names an exception without money in suspense");
  if (exception.resolvedAt !== null && exception.settledAs === as) return exception;
  orResolved(exception.resolvedAt === null ? exception : null);
  requireMayDecide(context, as, exception.fact, money);
  if (as === "recover") await requireNoHold(scope, money);
  if (as === "credit") requireWalletCurrency(await merchantSettings(scope.merchantId), "id", money.currency);
  const terms = await termsOf(scope, exception.fact, money);
  const transaction = settleSuspense(exception.fact, { ...money, terms }, as);
  if (!transaction) throw validationError("money", `must be one of ${settlementsFor(money.amount).join(", ")}`);
  const settled = await settleRow(exception, { as, resolution: text, transaction, context }, act);
  if (settled === "insufficient_balance") throw insufficientBalanceError();
  if (settled === "returned_before") {
    throw validationError("money", "must not be restored: the books have the return of this money already");
  }
  if (settled === "refund_open") {
    throw validationError(
      "id",
      "names an exception whose money is part of a refund; reject the refund or wait for its end",
    );
  }
  if (settled !== "resolved_before") return settled;
  const fresh = await requireException(scope, id);
  return orResolved(fresh.settledAs === as ? fresh : null);
}

/** Throws Forbidden for a member; what an operator does in a member's name is the operator's act. */
function requireMayDecide({ actor }: CallContext, as: Settlement, fact: string, money: SuspenseBooking): void {
  if (!isOperatorsDecision(as, fact, money) || recordedActor(actor).type === "operator") return;
  throw new Forbidden("Only the operator decides this, at the command line: the operator bears the cost.");
}

/** Money of a top-up is credited on the top-up's terms. */
async function termsOf(scope: Scope, fact: string, money: SuspenseBooking): Promise<CreditTerms | null> {
  return hasTopupTerms(fact, money) ? topupIntents.find(scope, money.intentId) : null;
}

/**
 * Earlier releases booked a payout's settlement for a different amount into suspense while its hold remained. The hold
 * covers what left, when the payout settles or is resolved: recovering it from the wallet as well would take it twice.
 */
async function requireNoHold(scope: Scope, { intentId, reason }: SuspenseBooking): Promise<void> {
  if (reason !== "amount_mismatch" || !isId("payoutIntent", intentId)) return;
  const payout = await payoutIntents.find(scope, intentId);
  if (payout?.status === "failed" || payout?.status === "cancelled") return;
  throw validationError(
    "money",
    "must not be recovered: the payout's hold covers it; restore it after the payout has ended",
  );
}
