import { z } from "zod";
import { object, text } from "./fields";
import { formatInstant } from "./instants";

const roles = z.array(z.string().max(32)).max(10);

/** Longer than a name may be: the service says what a name is. */
const name = z.string().max(320);

export const inviteMemberBody = object({ email: text(3, 320), name: name.optional(), roles });

/** Null removes the name. */
export const nameBody = object({ name: name.nullable() });

export const changeRolesBody = object({ roles });

interface SentLink {
  readonly link: string;
  readonly expiresAt: Date;
  readonly isMailed: boolean;
}

/** The form of a link that was just created; shown once. */
export function presentLink({ link, expiresAt, isMailed }: SentLink) {
  return { link, expires_at: formatInstant(expiresAt), is_mailed: isMailed };
}

export const oneTimeLinkBody = object({ token: z.string().max(64) });

export const choosePasswordBody = object({ token: z.string().max(64), password: z.string().min(1).max(1_024) });

/** Whom a one-time link belongs to. */
export interface LinkView {
  readonly email: string;
  readonly merchant_name: string;
  readonly purpose: "invite" | "reset";
}
