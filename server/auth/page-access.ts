// Access to dashboard pages. Each page checks for itself, because Next does not rerun a layout on every navigation.
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { allowedActs, type MemberAct } from "@/server/domain/permissions";
import { ENVIRONMENTS, type Environment } from "@/server/domain/scope";
import type { MemberSession } from "@/server/services/sign-in/sessions";
import { currentSession } from "./current-member";

/** The header in which proxy.ts passes a page its own address. */
const PATH_HEADER = "x-sluice-path";

export interface PageAccess {
  readonly environment: Environment;
  readonly session: MemberSession;
  readonly permissions: readonly MemberAct[];
}

/**
 * Returns the environment and session of a dashboard page. Answers 404 for an unknown environment and for members whose
 * roles do not allow the act. Redirects visitors to sign in, and members who must set up one-time codes to their account.
 */
export async function requirePageAccess(environment: string, act: MemberAct | null): Promise<PageAccess> {
  const known = ENVIRONMENTS.find((name) => name === environment);
  if (!known) notFound();
  const path = (await headers()).get(PATH_HEADER) ?? "/dashboard";
  const session = await currentSession();
  if (!session) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  const account = `/${known}/account`;
  if (session.mustEnrol && path.split("?")[0] !== account) redirect(account);
  const permissions = allowedActs(session.member, known);
  if (act !== null && !permissions.includes(act)) notFound();
  return { environment: known, session, permissions };
}
