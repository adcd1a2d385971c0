// The worker's rounds of due refunds.

import { claimDueRefundsAcrossMerchants, postponeRefund, type StoredRefund } from "@/server/db/suspense-refunds";
import { NeedsOperator } from "@/server/domain/errors";
import { stuckException } from "@/server/domain/exceptions";
import { nextPollAt } from "@/server/domain/polling";
import { nextReturnPoll } from "@/server/domain/suspense-refund";
import { type Clock, clockFrom } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";
import { claimLeaseMs } from "../due-intents";
import { openStuck } from "../exceptions/stuck";
import { followUpRefund } from "./follow-up";

/** Claims up to `count` due refunds, processes them, and returns their number. Refunds are few: one round runs at a time. */
export async function workOnDueRefunds(count: number): Promise<number> {
  const claimed = await claimDueRefundsAcrossMerchants(count, claimLeaseMs());
  await Promise.all(
    claimed.map(({ refund, at }) => withinMerchant(refund.merchantId, () => bringForward(refund, clockFrom(at)))),
  );
  return claimed.length;
}

async function bringForward(refund: StoredRefund, clock: Clock): Promise<void> {
  try {
    await followUpRefund(refund, clock);
  } catch (error) {
    log().error({ err: error, refundId: refund.id }, "the worker could not follow up a refund");
    await backOff(refund, error, clock()).catch((reason: unknown) =>
      log().error({ err: reason, refundId: refund.id }, "the backoff of a refund was not stored"),
    );
  }
}

/**
 * A failing refund waits longer each time; one that needs a person opens an exception. Nobody has to do anything about a settled
 * one: whether its money came back also shows in the provider's settlement file.
 */
async function backOff(refund: StoredRefund, error: unknown, at: Date): Promise<void> {
  if (refund.state === "settled") return postponeRefund(refund, nextReturnPoll(refund.endedAt ?? at, at));
  const since = refund.decidedAt ?? refund.proposedAt;
  await postponeRefund(refund, nextPollAt(at, { awaited: "acceptance", since, reporting: "polls", deadline: null }));
  if (error instanceof NeedsOperator) await openStuck(refund, stuckException(refund.id, "impassable", error.why), at);
}
