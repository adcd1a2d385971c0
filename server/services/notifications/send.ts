// The worker's part: claims due messages, sends them and records what came of it. A message whose worker dies is sent again
// under the same id when its lease ends.
import {
  type AttemptEnd,
  type ClaimedMessage,
  claimMessageAcrossMerchants,
  endAttempt,
  forgetNotifications,
  takeOutOfMessage,
} from "@/server/db/notifications/outbox";
import { isGone, nextStep } from "@/server/domain/delivery";
import { NOBODY } from "@/server/domain/exceptions";
import { afterQuietHours } from "@/server/domain/notification-time";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";
import { whereMerchantOpens } from "../cells/moved";
import { type ChannelResult, sendOverChannel } from "./channels";
import { describeMessage } from "./items";

/** Longer than an attempt can take: a mail has three time-outs of 10 s. */
const LEASE_MS = 2 * 60_000;
/** Messages that are sent at the same time. */
const TOGETHER = 10;
const LARGEST_MESSAGE = 500;

/** Sends up to ten due messages; returns how many it claimed. */
export async function sendDueNotifications(at = now()): Promise<number> {
  const messages: ClaimedMessage[] = [];
  while (messages.length < TOGETHER) {
    const message = await claimMessageAcrossMerchants(at, LEASE_MS, LARGEST_MESSAGE);
    if (!message) break;
    messages.push(message);
  }
  await Promise.all(messages.map((message) => sendMessage(message, at)));
  return messages.length;
}

async function sendMessage(message: ClaimedMessage, at: Date): Promise<void> {
  try {
    await attempt(message, at);
  } catch (error) {
    log().error({ err: error, messageId: message.id }, "a notification could not be attempted; it is retried");
  }
}

async function attempt(message: ClaimedMessage, at: Date): Promise<void> {
  const receiver = await describeMessage(message);
  const ids = message.notifications.map(({ id }) => id);
  const standing = ids.filter((id) => receiver?.items.has(id));
  const left = ids.filter((id) => receiver?.left.has(id));
  const waiting = ids.filter((id) => receiver?.waiting.has(id));
  await skip(
    message,
    ids.filter((id) => ![...standing, ...left, ...waiting].includes(id)),
    at,
  );
  await withinMerchant(message.merchantId, async () => {
    // Their merchant may come back before its other cell has told the receiver.
    if (left.length > 0) await forgetNotifications(message, left);
    if (waiting.length > 0) await takeOutOfMessage(message, waiting);
  });
  if (receiver === null || standing.length === 0) return;
  const items = [...receiver.items.values()];
  const result = await sendOrFail(message, { email: receiver.email, language: receiver.language, items }, at);
  const ended = endOf(message, result, at);
  if (ended.state !== "sent")
    log().warn({ messageId: message.id, failure: ended.failure }, "a notification was not sent");
  await end(message, standing, ended, at);
}

/** A message that cannot even be put together, for example because a key is gone, is given up like any other. */
async function sendOrFail(...[message, content, at]: Parameters<typeof sendOverChannel>): Promise<ChannelResult> {
  try {
    return await sendOverChannel(message, content, at);
  } catch (error) {
    log().error({ err: error, messageId: message.id }, "a notification could not be put together");
    const failure = "It could not be put together; the log of the service has the reason.";
    return { status: null, error: "internal", retryAfterMs: null, failure };
  }
}

async function skip(message: ClaimedMessage, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  const failure = "It was over, or its receiver may no longer see it.";
  await end(message, ids, { state: "skipped", dueAt: null, failure }, at);
}

/**
 * The outbox's row belongs to whom the registration belongs to, also where the fact is another merchant's. If that one has
 * moved meanwhile, its new cell would send the message again.
 */
function end(message: ClaimedMessage, ids: readonly string[], ended: AttemptEnd, at: Date): Promise<void> {
  const { merchantId } = message;
  const record = () => withinMerchant(merchantId, () => endAttempt(message, ids, ended, at));
  return merchantId === NOBODY ? record() : whereMerchantOpens(merchantId, record);
}

/** Retries on the schedule of webhook deliveries, outside quiet hours; after its end, and for a 410, gives up. */
function endOf({ attempt: step, schedule }: ClaimedMessage, result: ChannelResult, at: Date): AttemptEnd {
  const { failure } = result;
  const next = isGone(result) ? ({ state: "failed" } as const) : nextStep(step, result, Math.random());
  if (next.state === "delivered") return { state: "sent", dueAt: null, failure: null };
  if (next.state === "failed") return { state: "failed", dueAt: null, failure };
  return { state: "pending", dueAt: afterQuietHours(schedule, new Date(at.getTime() + next.pauseMs)), failure };
}
