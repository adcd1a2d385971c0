// Owns who may see a page of the dashboard. Each page asks for itself: a layout is not asked again on every step.
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { allowedActs, type MemberAct } from "@/server/domain/permissions";
import { ENVIRONMENTS, type Environment } from "@/server/domain/scope";
import type { MemberSession } from "@/server/services/sign-in/sessions";
import { currentSession } from "./current-member";

/** Where proxy.ts tells a page its own address. */
const PATH_HEADER = "x-sluice-path";

export interface PageAccess {
  readonly environment: Environment;
  readonly session: MemberSession;
  readonly permissions: readonly MemberAct[];
}

/**
 * The environment and session of a dashboard page. There is no page under any other environment; visitors are sent to
 * sign in; for members whose roles do not allow the act there is no page either.
 */
export async function requirePageAccess(environment: string, act: MemberAct | null): Promise<PageAccess> {
  const known = ENVIRONMENTS.find((name) => name === environment);
  if (!known) notFound();
  const session = await currentSession();
  if (!session) redirect(`/sign-in?next=${encodeURIComponent((await headers()).get(PATH_HEADER) ?? "/dashboard")}`);
  const permissions = allowedActs(session.member.roles);
  if (act !== null && !permissions.includes(act)) notFound();
  return { environment: known, session, permissions };
}

/** A way within this origin that somebody asked to be led to; null for anything else, such as another site. */
export function wayWithin(next: string | undefined): string | null {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : null;
}
