// Deciding what becomes of money in suspense: to the wallet, back to the payer, or made good where it is missing.

import type { StoredException } from "@/server/db/exceptions";
import { payoutIntents, topupIntents } from "@/server/db/intents/stores";
import { type SuspenseBooking, settleException as settleRow } from "@/server/db/suspense";
import { insufficientBalanceError, validationError } from "@/server/domain/errors";
import type { CreditTerms } from "@/server/domain/fx";
import type { CallContext, Scope } from "@/server/domain/scope";
import { type Settlement, settlementsFor, settleSuspense } from "@/server/domain/suspense";
import { isId } from "@/server/platform/ids";
import { requireEnabledCurrency } from "../merchants/currencies";
import { merchantSettings } from "../merchants/settings";
import { answeringAct, checkedResolution, moneyOf, orResolved, requireException } from "./decide";

/**
 * Settles the exception's money and resolves it for good, in one commit. Settling it again in the same way changes
 * nothing. Throws as `resolveException` does, validation_failed where no money is in suspense or the decision does not
 * fit it, and insufficient_balance when the wallet does not hold what is to be recovered.
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
  if (as === "recover") await requireNoHold(scope, money);
  if (as === "credit") requireEnabledCurrency(await merchantSettings(scope.merchantId), "id", money.currency);
  const terms = await termsOf(scope, exception.fact, money);
  const transaction = settleSuspense(exception.fact, { ...money, terms }, as);
  if (!transaction) throw validationError("money", `must be one of ${settlementsFor(money.amount).join(", ")}`);
  const settled = await settleRow(exception, { as, resolution: text, transaction, context }, act);
  if (settled === "insufficient_balance") throw insufficientBalanceError();
  if (settled !== "resolved_before") return settled;
  const fresh = await requireException(scope, id);
  return orResolved(fresh.settledAs === as ? fresh : null);
}

/** A top-up's own money is credited on its terms; money in another token than it asked for has none. */
async function termsOf(scope: Scope, fact: string, { intentId, reason }: SuspenseBooking): Promise<CreditTerms | null> {
  const isOwn = reason !== "amount_mismatch" || fact.startsWith("topup_");
  return isOwn && isId("topupIntent", intentId) ? topupIntents.find(scope, intentId) : null;
}

/**
 * Earlier releases booked a payout's settlement for another sum into suspense while its hold stood. The hold pays for what
 * left, at the payout's settlement or by its resolution: recovering it from the wallet as well would take it twice.
 */
async function requireNoHold(scope: Scope, { intentId, reason }: SuspenseBooking): Promise<void> {
  if (reason !== "amount_mismatch" || !isId("payoutIntent", intentId)) return;
  const payout = await payoutIntents.find(scope, intentId);
  if (payout?.status === "failed" || payout?.status === "cancelled") return;
  throw validationError(
    "money",
    "must not be recovered: the payout's hold pays for it; restore it once the payout ended",
  );
}
