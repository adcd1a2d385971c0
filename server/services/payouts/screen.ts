// Screening of a payout before its first call to a provider. The first verdict stays, whatever the screener says later.
import { findScreening, type StoredScreening, storeScreening } from "@/server/db/screenings";
import { type ExceptionFact, stuckException } from "@/server/domain/exceptions";
import { decideScreeningRefusal, screeningHold } from "@/server/domain/payout-gate";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { now } from "@/server/platform/clock";
import { askScreener, isScreening } from "@/server/psp/screener";
import { openStuck } from "../exceptions/stuck";
import type { Screened } from "../intents/kind";
import { openRecipient } from "./recipient";

/** A payout that the screener has not answered for this long needs a person. */
const UNANSWERED_MS = 15 * 60_000;

/**
 * Says whether an unsent payout may be sent, and asks the screener if it has not answered yet. Opens an exception for a hold,
 * and for a payout whose screener stays silent. A verdict that is stored counts even if screening was switched off since.
 */
export async function screen(intent: PayoutIntent, at: Date): Promise<Screened<PayoutIntent>> {
  const stored = (await findScreening(intent)) ?? (isScreening() ? await ask(intent) : "unscreened");
  if (stored === "unscreened") return { kind: "clear" };
  if (stored === null) {
    const isOverdue = at.getTime() - intent.updatedAt.getTime() >= UNANSWERED_MS;
    if (isOverdue) await openStuck(intent, unanswered(intent.id), at);
    return { kind: "waits" };
  }
  if (stored.verdict === "allow" || stored.decision === "release") return { kind: "clear" };
  if (stored.verdict === "refuse" || stored.decision === "refuse")
    return { kind: "refused", decide: (current, decidedAt) => decideScreeningRefusal(current, decidedAt) };
  await openStuck(intent, screeningHold(intent.id, stored), at);
  return { kind: "waits" };
}

async function ask(intent: PayoutIntent): Promise<StoredScreening | null> {
  const { id: payoutId, merchantId, environment, amount, currency, country, merchantReference, createdAt } = intent;
  const facts = { payoutId, merchantId, environment, amount, currency, country, merchantReference, createdAt };
  const answer = await askScreener({ ...facts, recipient: openRecipient(intent) });
  return answer && storeScreening(intent, answer, now());
}

function unanswered(payoutId: string): ExceptionFact {
  return stuckException(payoutId, "unscreened", "The screener gives no answer, so the payout is not sent.");
}
