// Mails one-time links. The mail is sent directly, because only the hash of a link may be stored.
import type { LinkPurpose } from "@/server/db/one-time-links";
import { log } from "@/server/platform/log";
import { canSendMail, sendMail } from "@/server/platform/mail";
import type { OneTimeLink } from "./one-time-links";

interface LinkMail extends OneTimeLink {
  readonly to: string;
  readonly purpose: LinkPurpose;
  readonly merchantName: string;
}

/** Mails the link to its member. Returns false without an SMTP server or if it refuses: the link must then be copied. */
export async function mailLink({ to, purpose, merchantName, link, expiresAt }: LinkMail): Promise<boolean> {
  if (!canSendMail()) return false;
  const isInvitation = purpose === "invite";
  const subject = isInvitation ? `You are invited to ${merchantName}` : `Choose a new password for ${merchantName}`;
  const why = isInvitation ? `You are invited to ${merchantName}.` : `Your password for ${merchantName} was reset.`;
  const text = `${why} Choose your password here:

${link}

The link works once, until ${expiresAt.toISOString()}. Do not pass it on.
`;
  try {
    await sendMail({ to, subject, text });
    return true;
  } catch (error) {
    log().warn({ err: error }, "a one-time link could not be mailed");
    return false;
  }
}
