// Notices of changes of authority: shown to the members who receive them, and mailed if the operator has an SMTP server.
import { claimNoticesAcrossMerchants, listNotices, markMailed, type NoticeRow } from "@/server/db/authority-notices";
import { noticeText } from "@/server/domain/authority-change";
import { now } from "@/server/platform/clock";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { canSendMail, sendMail } from "@/server/platform/mail";
import { withinMerchant } from "@/server/platform/reach";

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
export async function recentNotices(member: {
  readonly merchantId: string;
  readonly memberId: string;
}): Promise<AuthorityNotice[]> {
  const rows = await listNotices(member, new Date(now().getTime() - SHOWN_FOR_MS), SHOWN);
  return rows.map((row) => ({ text: textOf(row), createdAt: row.createdAt }));
}

/** The notice in one sentence. */
export function textOf({ actorType, actorId, actorEmail, subjectEmail, ...entry }: NoticeRow): string {
  const named = actorType === "operator" ? "The operator" : `${actorType} ${actorId}`;
  return noticeText({ ...entry, actor: actorEmail ?? named, subject: subjectEmail });
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
  const { email: to, merchantName, createdAt, entryId } = notice;
  const text = `${textOf(notice)}

Merchant: ${merchantName}
Time: ${createdAt.toISOString()}

If you do not expect this, check the audit log: ${env().baseUrl}/live/audit
`;
  try {
    await sendMail({ to, subject: `Access to ${merchantName} changed`, text });
    await withinMerchant(notice.merchantId, () => markMailed(notice, now()));
  } catch (error) {
    log().warn({ err: error, entryId }, "a notice could not be mailed; it is retried");
  }
}
