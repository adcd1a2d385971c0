import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { type Cell, inCell } from "@/server/platform/cell";
import { settingsOf } from "@/server/services/members/settings";
import { hadOutageSince } from "@/server/services/outage";
import { type SessionKey, withinSession } from "@/server/services/sign-in/session-scope";
import type { SignedInMember } from "@/server/services/sign-in/sign-in";

/** An answer about a failure of the database follows it within this time, in ms. */
const FOLLOWS_WITHIN_MS = 2_000;

type Reader = SessionKey & { readonly member: Pick<SignedInMember, "id" | "merchantId"> };

/**
 * What the member of a session in the cell has chosen; null without a session or a choice. Also null when the cell's database
 * has just failed: an answer that says so is due, and cannot wait for the database again.
 */
export async function chosenLanguage(
  cell: Cell,
  findSession: () => Promise<Reader | null> | Reader | null,
): Promise<DashboardLanguage | null> {
  if (inCell(cell, () => hadOutageSince(performance.now() - FOLLOWS_WITHIN_MS))) return null;
  const session = await findSession();
  return session && withinSession(session, async () => (await settingsOf(session.member)).language);
}
