// Roles in words. An unknown one, of a newer server, is shown as it is.
import type { TextKey, Texts } from "./dashboard-texts";

const NAMES: Readonly<Record<string, TextKey & `common.role${string}`>> = {
  owner: "common.roleOwner",
  admin: "common.roleAdmin",
  approver: "common.roleApprover",
  finance: "common.roleFinance",
  developer: "common.roleDeveloper",
};

/** The name of a role. */
export function roleText(texts: Texts, role: string): string {
  const key = NAMES[role];
  return key === undefined ? role : texts(key);
}

/** "owner, finance"; empty without roles. */
export function rolesText(texts: Texts, roles: readonly string[]): string {
  return roles.map((role) => roleText(texts, role)).join(", ");
}
