// The texts of a message: plain text for mail, Slack's markup, and JSON for signed webhooks.

import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { SENT_TYPES, type SentType } from "@/server/domain/notification";
import type { Environment } from "@/server/domain/scope";
import { type Phrase, say } from "@/server/domain/texts/say";
import { wordIn } from "@/server/domain/texts/translate";
import { wallClock } from "@/server/domain/wall-clock";
import type { Item } from "./describe";

/** What the texts need besides the items. */
export interface MessageFrame {
  readonly environment: Environment;
  /** The items' times are shown by clocks of this zone. */
  readonly timeZone: string;
  /** The dashboard's address; null for the operator, who may have no account. */
  readonly dashboard: string | null;
  /** The reader's. */
  readonly language: DashboardLanguage;
}

/** Lists an environment's registrations of the operator. */
const LISTING = "npm run -s cli -- notifications list --environment";

/** Items of each type that a text lists; the rest is counted. */
const LISTED = 20;

/** For one item and for several. */
const HEADLINES = {
  approval_waiting: ["1 payout waits for your approval", "{count} payouts wait for your approval"],
  approval_lapsing: [
    "1 payout is cancelled soon unless approved",
    "{count} payouts are cancelled soon unless approved",
  ],
  refund_proposed: ["1 proposed refund", "{count} proposed refunds"],
  exception_opened: ["1 open exception", "{count} open exceptions"],
  exception_assigned: ["1 exception assigned to you", "{count} exceptions assigned to you"],
  endpoint_failing: ["1 failing webhook endpoint", "{count} failing webhook endpoints"],
  policy_proposed: ["1 proposed approval policy", "{count} proposed approval policies"],
  topup_terms_proposed: ["1 proposed change of top-up terms", "{count} proposed changes of top-up terms"],
  security: ["1 change of access", "{count} changes of access"],
} as const satisfies Readonly<Record<Exclude<SentType, "test">, readonly [one: Phrase, many: Phrase]>>;

function headlineOf(language: DashboardLanguage, type: SentType, count: number): string {
  if (type === "test") return say(language, "Test");
  const [one, many] = HEADLINES[type];
  return count === 1 ? say(language, one) : say(language, many, { count: String(count) });
}

interface Section {
  readonly headline: string;
  readonly listed: readonly Item[];
  /** How many more there are. */
  readonly more: number;
}

function sectionsOf(items: readonly Item[], language: DashboardLanguage): Section[] {
  return SENT_TYPES.flatMap((type) => {
    const ofType = items.filter((item) => item.type === type);
    if (ofType.length === 0) return [];
    const headline = headlineOf(language, type, ofType.length);
    return [{ headline, listed: ofType.slice(0, LISTED), more: Math.max(0, ofType.length - LISTED) }];
  });
}

/** "Shop (test): 2 payouts wait for your approval". */
export function subjectOf(
  items: readonly Item[],
  { environment, language }: Pick<MessageFrame, "environment" | "language">,
): string {
  const names = new Set(items.map(({ merchant }) => merchant?.name ?? null));
  const [name] = names;
  const whose = names.size === 1 && name ? name : "Sluice";
  const [section, ...others] = sectionsOf(items, language);
  const what =
    others.length === 0 && section
      ? section.headline
      : say(language, "{count} notifications", { count: String(items.length) });
  return `${whose} (${wordIn(language, environment)}): ${what}`;
}

const TIMES = { since: ", since {time}", until: ", until {time}", at: ", at {time}" } as const;

function timeText(
  { label, at }: NonNullable<Item["time"]>,
  { timeZone, language }: Pick<MessageFrame, "timeZone" | "language">,
): string {
  const { year, month, day, hour, minute, zoneName } = wallClock(at.getTime(), timeZone);
  const two = (value: number) => String(value).padStart(2, "0");
  const text = `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)} ${zoneName}`;
  return say(language, TIMES[label], { time: text });
}

/** The sentence of an item, with the merchant for an operator; a test message is about no merchant and says nothing of it. */
function sentenceOf({ type, text, time, merchant }: Item, frame: MessageFrame): string {
  const { dashboard } = frame;
  const when = time ? timeText(time, frame) : "";
  const namesMerchant = dashboard === null && type !== "test";
  const whose = namesMerchant ? `${merchant ? `${merchant.name} (${merchant.id})` : "No merchant"}: ` : "";
  const sentence = `${whose}${text}${when}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function addressOf({ path }: Item, { dashboard, environment }: MessageFrame): string | null {
  return dashboard && `${dashboard}/${environment}/${path}`;
}

/** The text of a mail. */
export function mailText(items: readonly Item[], frame: MessageFrame): string {
  const sections = sectionsOf(items, frame.language).map(({ headline, listed, more }) => {
    const lines = listed.map((item) => {
      const address = addressOf(item, frame);
      return `- ${sentenceOf(item, frame)}${address ? `\n  ${address}` : ""}`;
    });
    return [
      headline,
      "",
      ...lines,
      ...(more > 0 ? [`- ${say(frame.language, "{count} more.", { count: String(more) })}`] : []),
    ].join("\n");
  });
  const { dashboard, environment, language } = frame;
  const end = dashboard
    ? say(language, "You chose these notifications: {address}", {
        address: `${dashboard}/${environment}/notifications`,
      })
    : `The operator of this service chose these notifications: ${LISTING} ${environment}`;
  return `${sections.join("\n\n")}\n\n${end}\n`;
}

/** Escapes what Slack would read as markup, such as a mention of everybody. */
function slackText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The body for an incoming webhook of Slack, or of a service that accepts the same. */
export function slackBody(items: readonly Item[], frame: MessageFrame): string {
  const sections = sectionsOf(items, frame.language).flatMap(({ headline, listed, more }) => [
    `*${slackText(headline)}*`,
    ...listed.map((item) => {
      const address = addressOf(item, frame);
      const sentence = slackText(sentenceOf(item, frame));
      return `• ${sentence}${address ? ` <${slackText(address)}|${say(frame.language, "Open")}>` : ""}`;
    }),
    ...(more > 0 ? [`• ${say(frame.language, "{count} more.", { count: String(more) })}`] : []),
  ]);
  return JSON.stringify({ text: [`*${slackText(subjectOf(items, frame))}*`, ...sections].join("\n") });
}

/** The body of a signed webhook: every item of one type. `at` is the time of the attempt. */
export function webhookBody(items: readonly Item[], frame: MessageFrame, at: Date): string {
  const described = items.map((item) => ({
    merchant_id: item.merchant?.id ?? null,
    ...item.data,
    text: sentenceOf(item, frame),
    url: addressOf(item, frame),
  }));
  return JSON.stringify({
    type: `notification.${items[0]?.type}`,
    timestamp: at.toISOString(),
    data: { environment: frame.environment, items: described },
  });
}
