// One-time links: invited members, and members whose password was reset, choose a password that nobody else sees.

import { actOf } from "@/server/db/audit/record";
import { changeMember, LinkNotUsable } from "@/server/db/member-changes";
import {
  findOpenLinkAcrossMerchants,
  type LinkPurpose,
  type NewOneTimeLink,
  type OpenLink,
} from "@/server/db/one-time-links";
import { authorityGiven } from "@/server/domain/authority";
import { isNotFound, notFoundError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { cellOfTag, currentCell } from "@/server/platform/cell";
import { now } from "@/server/platform/clock";
import { sha256Hex } from "@/server/platform/crypto";
import { env } from "@/server/platform/env";
import { randomText } from "@/server/platform/ids";
import { withinMerchant } from "@/server/platform/reach";
import { inCellThatKnows } from "../cells/moved";
import { merchantSettings } from "../merchants/settings";
import { hashPassword } from "./passwords";

const LIFETIME_MS = 24 * 60 * 60_000;
/** From an alphabet of 62 characters: 256 bits. */
const TOKEN_LENGTH = 43;
/** In a further cell the token begins with the cell's tag, whose underscore is in no token of the first cell. */
const TOKEN = /^(?:(?<tag>[0-9a-z]{2})_)?[0-9A-Za-z]{43}$/;

export interface OneTimeLink {
  /** The address with the token. Shown once: the database has only the token's hash. */
  readonly link: string;
  readonly expiresAt: Date;
}

/** Creates a link, to be shown and to be stored. It expires after 24 hours. */
export function createLink(purpose: LinkPurpose): { readonly link: OneTimeLink; readonly stored: NewOneTimeLink } {
  const { tag } = currentCell();
  const token = `${tag && `${tag}_`}${randomText(TOKEN_LENGTH)}`;
  const expiresAt = new Date(now().getTime() + LIFETIME_MS);
  return {
    // Browsers send no fragment to servers, so the token gets into no log and no Referer.
    link: { link: `${env().baseUrl}/welcome#${token}`, expiresAt },
    stored: { purpose, tokenHash: sha256Hex(token), expiresAt },
  };
}

/** Returns whom the link belongs to, without using it up. Throws not_found for every link that cannot be used now. */
export function showLink(token: string): Promise<OpenLink> {
  return inCellOf(token, () => findLink(token));
}

/**
 * Runs work with the link of a token, which begins with `findLink`: in the cell that made the token, or where its merchant is
 * now. A tag that no cell has leads to the first cell, where the token is unknown.
 */
function inCellOf<Result>(token: string, work: () => Promise<Result>): Promise<Result> {
  return inCellThatKnows(cellOfTag(TOKEN.exec(token)?.groups?.tag ?? ""), isNotFound, work);
}

async function findLink(token: string): Promise<OpenLink> {
  const link = TOKEN.test(token) ? await findOpenLinkAcrossMerchants(sha256Hex(token), now()) : null;
  if (!link) throw notFoundError();
  return link;
}

/**
 * Sets the password of the link's member and uses the link up; ends the member's sessions, and renews their authority as
 * the link's creator gives it. One-time codes stay. Throws not_found as `showLink` does, and validation_failed for a
 * password that may not be chosen, which leaves the link usable.
 */
export async function choosePassword(
  token: string,
  password: string,
  call: Pick<CallContext, "requestId" | "address">,
): Promise<void> {
  await inCellOf(token, async () => {
    const link = await findLink(token);
    await withinMerchant(link.merchantId, () => useLink(token, link, password, call));
  });
}

async function useLink(
  token: string,
  { merchantId, memberId, purpose, createdBy, ...owner }: OpenLink,
  password: string,
  call: Pick<CallContext, "requestId" | "address">,
): Promise<void> {
  const passwordHash = await hashPassword(password, owner);
  const link = { usedHash: sha256Hex(token) };
  const act = actOf({ actor: { type: "member", id: memberId }, ...call });
  // The creator may have copied the link and waited, so authority counts from its use.
  const { authorityCoolDownSeconds } = await merchantSettings(merchantId);
  const data = { passwordHash, authority: authorityGiven(act.at, createdBy, authorityCoolDownSeconds) };
  const patch = { action: "member.choose_password", data, before: null, after: { link: purpose } };
  await changeMember(
    merchantId,
    memberId,
    ({ target }) => {
      if (target.disabledAt !== null) throw notFoundError();
      return { ...patch, link, endsSessions: true };
    },
    act,
  ).catch((error: unknown) => {
    throw error instanceof LinkNotUsable ? notFoundError() : error;
  });
}
