// The texts of a message: plain text for mail, Slack's markup, and JSON for signed webhooks.

import { SENT_TYPES, type SentType } from "@/server/domain/notification";
import type { Environment } from "@/server/domain/scope";
import { wallClock } from "@/server/domain/wall-clock";
import type { Item } from "./items";

/** What the texts need besides the items. */
export interface MessageFrame {
  readonly environment: Environment;
  /** The items' times are shown by clocks of this zone. */
  readonly timeZone: string;
  /** The dashboard's address; null for the operator, who may have no account. */
  readonly dashboard: string | null;
}

/** Lists an environment's registrations of the operator. */
const LISTING = "npm run -s cli -- notifications list --environment";

/** Items of each type that a text lists; the rest is counted. */
const LISTED = 20;

const HEADLINES: Readonly<Record<SentType, (count: number) => string>> = {
  approval_waiting: (count) => `${counted(count, "payout waits", "payouts wait")} for your approval`,
  approval_lapsing: (count) => `${counted(count, "payout is", "payouts are")} cancelled soon unless approved`,
  refund_proposed: (count) => counted(count, "proposed refund", "proposed refunds"),
  exception_opened: (count) => counted(count, "open exception", "open exceptions"),
  endpoint_failing: (count) => counted(count, "failing webhook endpoint", "failing webhook endpoints"),
  policy_proposed: (count) => counted(count, "proposed approval policy", "proposed approval policies"),
  topup_terms_proposed: (count) =>
    counted(count, "proposed change of top-up terms", "proposed changes of top-up terms"),
  security: (count) => counted(count, "change of access", "changes of access"),
  test: () => "Test",
};

function counted(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

interface Section {
  readonly headline: string;
  readonly listed: readonly Item[];
  /** How many more there are. */
  readonly more: number;
}

function sectionsOf(items: readonly Item[]): Section[] {
  return SENT_TYPES.flatMap((type) => {
    const ofType = items.filter((item) => item.type === type);
    if (ofType.length === 0) return [];
    const headline = HEADLINES[type](ofType.length);
    return [{ headline, listed: ofType.slice(0, LISTED), more: Math.max(0, ofType.length - LISTED) }];
  });
}

/** "Shop (test): 2 payouts wait for your approval". */
export function subjectOf(items: readonly Item[], { environment }: Pick<MessageFrame, "environment">): string {
  const names = new Set(items.map(({ merchant }) => merchant?.name ?? null));
  const [name] = names;
  const whose = names.size === 1 && name ? name : "Sluice";
  const [section, ...others] = sectionsOf(items);
  const what = others.length === 0 && section ? section.headline : `${items.length} notifications`;
  return `${whose} (${environment}): ${what}`;
}

function timeText({ label, at }: NonNullable<Item["time"]>, timeZone: string): string {
  const { year, month, day, hour, minute, zoneName } = wallClock(at.getTime(), timeZone);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${label} ${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)} ${zoneName}`;
}

/** The sentence of an item, with the merchant for an operator; a test message is about no merchant and says nothing of it. */
function sentenceOf({ type, text, time, merchant }: Item, { timeZone, dashboard }: MessageFrame): string {
  const when = time ? `, ${timeText(time, timeZone)}` : "";
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
  const sections = sectionsOf(items).map(({ headline, listed, more }) => {
    const lines = listed.map((item) => {
      const address = addressOf(item, frame);
      return `- ${sentenceOf(item, frame)}${address ? `\n  ${address}` : ""}`;
    });
    return [headline, "", ...lines, ...(more > 0 ? [`- ${more} more.`] : [])].join("\n");
  });
  const { dashboard, environment } = frame;
  const end = dashboard
    ? `You chose these notifications: ${dashboard}/${environment}/notifications`
    : `The operator of this service chose these notifications: ${LISTING} ${environment}`;
  return `${sections.join("\n\n")}\n\n${end}\n`;
}

/** Escapes what Slack would read as markup, such as a mention of everybody. */
function slackText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The body for an incoming webhook of Slack, or of a service that accepts the same. */
export function slackBody(items: readonly Item[], frame: MessageFrame): string {
  const sections = sectionsOf(items).flatMap(({ headline, listed, more }) => [
    `*${slackText(headline)}*`,
    ...listed.map((item) => {
      const address = addressOf(item, frame);
      const sentence = slackText(sentenceOf(item, frame));
      return `• ${sentence}${address ? ` <${slackText(address)}|Open>` : ""}`;
    }),
    ...(more > 0 ? [`• ${more} more.`] : []),
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
