import { Forbidden } from "./errors";
import type { Environment } from "./scope";

export const ROLES = ["owner", "admin", "approver", "finance", "developer"] as const;
export type Role = (typeof ROLES)[number];

/** Who may do what: one row per kind of act. Pages and procedures name theirs; what is not listed nobody may. */
const PERMISSIONS = {
  read_intents: ["owner", "admin", "approver", "finance", "developer"],
  read_wallets: ["owner", "admin", "approver", "finance"],
  read_catalogue: ["owner", "admin", "approver", "finance", "developer"],
  export_intents: ["owner", "admin", "approver", "finance"],
  create_payouts: ["owner", "admin", "finance"],
  create_topups: ["owner", "admin", "finance"],
  decide_payouts: ["owner", "admin", "approver"],
  read_policies: ["owner", "admin", "approver", "finance"],
  decide_policies: ["owner", "admin"],
  decide_exceptions: ["owner", "admin", "finance"],
  read_reconciliation: ["owner", "admin", "finance"],
  upload_settlements: ["owner", "admin", "finance"],
  read_providers: ["owner", "admin", "finance", "developer"],
  manage_webhooks: ["owner", "admin", "developer"],
  manage_keys: ["owner", "admin", "developer"],
  read_api_logs: ["owner", "admin", "developer"],
  read_settings: ["owner", "admin", "approver", "finance", "developer"],
  manage_settings: ["owner"],
  decide_settings: ["owner", "admin"],
  manage_members: ["owner", "admin"],
  manage_step_up: ["owner", "admin"],
  read_audit: ["owner", "admin", "finance"],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

/** Kinds of act that not every member may do. */
export type MemberAct = keyof typeof PERMISSIONS;

const WORDING: Readonly<Record<MemberAct, string>> = {
  read_intents: "view payments and payouts",
  read_wallets: "see balances",
  read_catalogue: "see the event catalogue",
  export_intents: "export intents",
  create_payouts: "create payouts, add or remove recipients",
  create_topups: "create top-ups",
  decide_payouts: "approve or cancel payouts",
  read_policies: "see approval policies and payout limits",
  decide_policies: "propose or decide on approval policies, or set payout limits",
  decide_exceptions: "take or resolve exceptions",
  read_reconciliation: "see settlement files",
  upload_settlements: "upload settlement files",
  read_providers: "see providers and open their dashboards",
  manage_webhooks: "see or change webhook endpoints",
  manage_keys: "see or change API keys",
  read_api_logs: "see the API log",
  read_settings: "see the merchant's settings",
  manage_settings: "change the merchant's settings",
  decide_settings: "confirm or reject changes of top-up terms",
  manage_members: "see or change members",
  manage_step_up: "set which acts require a one-time code",
  read_audit: "see the audit log",
};

/** The whole table, for showing: what each kind of act is called, and whom it is allowed to. */
export function permissionTable() {
  return (Object.keys(PERMISSIONS) as MemberAct[]).map((act) => ({
    act,
    label: WORDING[act],
    roles: [...PERMISSIONS[act]] as Role[],
  }));
}

/** Acts on what both environments share. They take the roles of live wherever they are done. */
const SHARED: ReadonlySet<MemberAct> = new Set([
  "manage_settings",
  "decide_settings",
  "manage_members",
  "manage_step_up",
  "read_audit",
]);

export interface RoleHolder {
  /** In live, and for what both environments share. */
  readonly roles: readonly string[];
  /** In the test environment; null where they are the same. */
  readonly testRoles: readonly string[] | null;
}

/** The roles that count for the act in the environment. */
function rolesThatCount({ roles, testRoles }: RoleHolder, act: MemberAct, environment: Environment): readonly string[] {
  return environment === "test" && !SHARED.has(act) ? (testRoles ?? roles) : roles;
}

/** Every act that the roles allow in the environment. */
export function allowedActs(holder: RoleHolder, environment: Environment): MemberAct[] {
  const member = { ...holder, disabledAt: null };
  return (Object.keys(PERMISSIONS) as MemberAct[]).filter((act) => isAllowed(member, act, environment));
}

/** The roles of which one is enough for the act. */
export function rolesFor(act: MemberAct): readonly Role[] {
  return PERMISSIONS[act];
}

/** True if one of the roles approves payouts. */
export function mayApprove(roles: readonly string[]): boolean {
  return isAllowed({ roles, testRoles: null, disabledAt: null }, "decide_payouts", "live");
}

type AnyMember = RoleHolder & { readonly disabledAt: Date | null };

/** True for an active member one of whose roles allows the act in the environment. */
export function isAllowed(member: AnyMember, act: MemberAct, environment: Environment): boolean {
  const allowed: readonly string[] = PERMISSIONS[act];
  return member.disabledAt === null && rolesThatCount(member, act, environment).some((role) => allowed.includes(role));
}

/** Throws Forbidden unless the member is active and one of their roles allows the act in the environment. */
export function requireAllowed(member: AnyMember, act: MemberAct, environment: Environment): void {
  if (isAllowed(member, act, environment)) return;
  if (member.disabledAt !== null) throw new Forbidden("The member is disabled.");
  throw new Forbidden(`Only a member who is ${PERMISSIONS[act].join(" or ")} can ${WORDING[act]}.`);
}
