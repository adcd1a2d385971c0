// One attempt to send a message over its channel.
import type { ClaimedMessage } from "@/server/db/notifications/outbox";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import type { AttemptResult } from "@/server/domain/delivery";
import { env } from "@/server/platform/env";
import { sendMail } from "@/server/platform/mail";
import { postToReceiver } from "@/server/receivers/post";
import { signWebhook } from "@/server/receivers/signature";
import { receiverPolicy } from "../webhooks/receiver-policy";
import type { Item } from "./describe";
import { openDestination } from "./destination";
import { type MessageFrame, mailText, slackBody, subjectOf, webhookBody } from "./message";

/** For everything together: name, connection, headers and body. */
const DEADLINE_MS = 15_000;

export interface ChannelResult extends AttemptResult {
  /** A sentence for people; null if the message was accepted. */
  readonly failure: string | null;
}

const ACCEPTED: ChannelResult = { status: 200, error: null, retryAfterMs: null, failure: null };

interface MessageContent {
  readonly email: string | null;
  readonly language: DashboardLanguage;
  readonly items: readonly Item[];
}

/** Sends the items; never throws for what the receiver does. `email` is the member's address, null for the operator. */
export async function sendOverChannel(
  message: ClaimedMessage,
  { email, language, items }: MessageContent,
  at: Date,
): Promise<ChannelResult> {
  const { environment, channel, schedule } = message;
  const dashboard = message.memberId === null ? null : env().baseUrl;
  const frame: MessageFrame = { environment, timeZone: schedule.timeZone, dashboard, language };
  if (channel === "mail") return mail(message.address ?? email, items, frame);
  if (channel === "slack") return post(message, {}, slackBody(items, frame));
  const body = webhookBody(items, frame, at);
  const place = { merchantId: message.merchantId, id: message.registrationId };
  const secret = openDestination(place, "secret", message.secretSealed ?? "");
  return post(message, { ...signWebhook([secret], { id: message.id, at, body }) }, body);
}

async function mail(to: string | null, items: readonly Item[], frame: MessageFrame): Promise<ChannelResult> {
  if (to === null) throw new Error("a mail needs an address");
  try {
    await sendMail({ to, subject: subjectOf(items, frame), text: mailText(items, frame) });
    return ACCEPTED;
  } catch (error) {
    const failure = `The mail was not accepted: ${error instanceof Error ? error.message : "unknown"}.`;
    return { status: null, error: "mail", retryAfterMs: null, failure };
  }
}

async function post(
  { merchantId, registrationId: id, environment, urlSealed }: ClaimedMessage,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<ChannelResult> {
  const url = openDestination({ merchantId, id }, "url", urlSealed ?? "");
  const policy = receiverPolicy(environment);
  const { status, error, retryAfterMs, detail } = await postToReceiver({
    url,
    headers,
    body,
    policy,
    deadlineMs: DEADLINE_MS,
  });
  const isAccepted = status !== null && status >= 200 && status <= 299;
  const failure = detail ?? (isAccepted ? null : `The receiver answered ${status}.`);
  return { status, error, retryAfterMs, failure };
}
