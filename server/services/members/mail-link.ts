// Mails one-time links. The mail is sent directly, because only the hash of a link may be stored.

import type { MemberKey } from "@/server/db/member-settings";
import type { LinkPurpose } from "@/server/db/one-time-links";
import { say } from "@/server/domain/texts/say";
import { log } from "@/server/platform/log";
import { canSendMail, sendMail } from "@/server/platform/mail";
import type { OneTimeLink } from "./one-time-links";
import { languageOfMails } from "./settings";

interface LinkMail extends OneTimeLink {
  readonly to: string;
  readonly member: MemberKey;
  /** Who invites or resets; null if it is no member. */
  readonly sender: MemberKey | null;
  readonly purpose: LinkPurpose;
  readonly merchantName: string;
}

/**
 * Mails the link to its member, in their language, or the sender's if they have chosen none. Returns false without an SMTP
 * server or if it refuses: the link must then be copied.
 */
export async function mailLink({
  to,
  member,
  sender,
  purpose,
  merchantName: merchant,
  link,
  expiresAt,
}: LinkMail): Promise<boolean> {
  if (!canSendMail()) return false;
  try {
    const language = await languageOfMails(member, sender);
    const isInvitation = purpose === "invite";
    const subject = isInvitation
      ? say(language, "You are invited to {merchant}", { merchant })
      : say(language, "Choose a new password for {merchant}", { merchant });
    const why = isInvitation
      ? say(language, "You are invited to {merchant}.", { merchant })
      : say(language, "Your password for {merchant} was reset.", { merchant });
    const text = `${why} ${say(language, "Choose your password here:")}

${link}

${say(language, "The link works once, until {time}. Do not pass it on.", { time: expiresAt.toISOString() })}
`;
    await sendMail({ to, subject, text });
    return true;
  } catch (error) {
    log().warn({ err: error }, "a one-time link could not be mailed");
    return false;
  }
}
