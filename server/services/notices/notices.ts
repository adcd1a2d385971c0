// Notices of changes of authority: shown to the members who receive them, and mailed if the operator has an SMTP server.
import { claimNoticesAcrossMerchants, listNotices, markMailed, type NoticeRow } from "@/server/db/authority-notices";
import { noticeText } from "@/server/domain/authority-change";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { say } from "@/server/domain/texts/say";
import { wordIn } from "@/server/domain/texts/translate";
import { now } from "@/server/platform/clock";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { canSendMail, sendMail } from "@/server/platform/mail";
import { withinMerchant } from "@/server/platform/reach";
import { whereMerchantOpens } from "../cells/moved";
import { languageOfMails } from "../members/settings";

const DAY_MS = 24 * 60 * 60_000;
const SHOWN_FOR_MS = 7 * DAY_MS;
/** More changes of authority than people make in that time. */
const SHOWN = 500;
/** After this time a notice is no longer mailed. */
const MAILED_WITHIN_MS = 3 * DAY_MS;
/** Longer than a batch can take: ten mails, each of up to three time-outs of 10 s. */
const LEASE_MS = 6 * 60_000;
const BATCH = 10;

export interface AuthorityNotice {
  readonly text: string;
  readonly createdAt: Date;
}

/** Returns the member's notices of the last seven days, newest first. */
export async function recentNotices(
  member: { readonly merchantId: string; readonly memberId: string },
  language: DashboardLanguage = "en",
): Promise<AuthorityNotice[]> {
  const rows = await listNotices(member, new Date(now().getTime() - SHOWN_FOR_MS), SHOWN);
  return rows.map((row) => ({ text: textOf(row, language), createdAt: row.createdAt }));
}

/** The notice in one sentence. */
export function textOf(
  { actorType, actorId, actorEmail, subjectEmail, ...entry }: NoticeRow,
  language: DashboardLanguage,
): string {
  const named =
    actorType === "operator" ? wordIn(language, "The operator") : `${wordIn(language, actorType)} ${actorId}`;
  return noticeText({ ...entry, actor: actorEmail ?? named, subject: subjectEmail }, language);
}

/**
 * Mails due notices; returns how many it claimed. A crash between sending and recording leads to a second mail, and
 * never to none. A failed mail is retried with exponential backoff, for three days.
 */
export async function mailDueNotices(): Promise<number> {
  if (!canSendMail()) return 0;
  const at = now();
  const newerThan = new Date(at.getTime() - MAILED_WITHIN_MS);
  const claimed = await claimNoticesAcrossMerchants({ at, newerThan, leaseMs: LEASE_MS }, BATCH);
  for (const notice of claimed) await mailNotice(notice);
  return claimed.length;
}

async function mailNotice(notice: NoticeRow): Promise<void> {
  const { email: to, merchantName: merchant, createdAt, entryId } = notice;
  try {
    const language = await languageOfMails({ merchantId: notice.merchantId, id: notice.memberId });
    const text = `${textOf(notice, language)}

${say(language, "Merchant: {merchant}", { merchant })}
${say(language, "Time: {time}", { time: createdAt.toISOString() })}

${say(language, "If you do not expect this, check the audit log: {address}", { address: `${env().baseUrl}/live/audit` })}
`;
    await sendMail({ to, subject: say(language, "Access to {merchant} changed", { merchant }), text });
    const { merchantId } = notice;
    await whereMerchantOpens(merchantId, () => withinMerchant(merchantId, () => markMailed(notice, now())));
  } catch (error) {
    log().warn({ err: error, entryId }, "a notice could not be mailed; it is retried");
  }
}
