// Who may do what: the table is written here a second time, and every other combination is refused.
import { describe, expect, it } from "vitest";
import { Forbidden } from "./errors";
import {
  allowedActs,
  isAllowed,
  type MemberAct,
  mayApprove,
  permissionTable,
  ROLES,
  requireAllowed,
  rolesFor,
} from "./permissions";

/** Act → o(wner), a(dmin), (a)p(prover), f(inance), d(eveloper). */
const EXPECTED: Readonly<Record<MemberAct, string>> = {
  read_intents: "owner admin approver finance developer",
  read_wallets: "owner admin approver finance",
  read_catalogue: "owner admin approver finance developer",
  export_intents: "owner admin approver finance",
  create_payouts: "owner admin finance",
  create_topups: "owner admin finance",
  decide_payouts: "owner admin approver",
  read_policies: "owner admin approver finance",
  decide_policies: "owner admin",
  decide_exceptions: "owner admin finance",
  read_reconciliation: "owner admin finance",
  upload_settlements: "owner admin finance",
  read_providers: "owner admin finance developer",
  manage_webhooks: "owner admin developer",
  manage_keys: "owner admin developer",
  read_api_logs: "owner admin developer",
  read_settings: "owner admin approver finance developer",
  manage_settings: "owner",
  decide_settings: "owner admin",
  manage_members: "owner admin",
  manage_step_up: "owner admin",
  read_audit: "owner admin finance",
};
const ACTS = Object.keys(EXPECTED) as MemberAct[];
const SHARED = ["manage_settings", "decide_settings", "manage_members", "manage_step_up", "read_audit"];
const active = (...roles: string[]) => ({ roles, testRoles: null, disabledAt: null });

describe.each(ROLES)("the role %s", (role) => {
  it("allows what its row says and nothing else, in both environments", () => {
    const expected = ACTS.filter((act) => EXPECTED[act].split(" ").includes(role));
    for (const environment of ["live", "test"] as const) {
      expect(allowedActs({ roles: [role], testRoles: null }, environment)).toEqual(expected);
    }
  });
});

it("nobody may do anything without a role, with an unknown one, or once disabled", () => {
  for (const act of ACTS) {
    expect(isAllowed(active(), act, "live")).toBe(false);
    expect(isAllowed(active("root"), act, "live")).toBe(false);
    expect(isAllowed({ ...active("owner"), disabledAt: new Date(0) }, act, "live")).toBe(false);
  }
});

it("one of several roles is enough", () => {
  expect(isAllowed(active("developer", "approver"), "decide_payouts", "live")).toBe(true);
});

it("other roles of the test environment count there, but not for what both environments share", () => {
  const member = { roles: ["developer"], testRoles: ["owner"], disabledAt: null };
  for (const act of ACTS) {
    const isOwners = !SHARED.includes(act);
    expect(isAllowed(member, act, "live")).toBe(EXPECTED[act].includes("developer"));
    expect(isAllowed(member, act, "test")).toBe(isOwners || EXPECTED[act].includes("developer"));
  }
});

it("no roles in the test environment are none, although there are some in live", () => {
  expect(allowedActs({ roles: ["owner"], testRoles: [] }, "test")).toEqual(SHARED);
});

it("approvers, admins and owners approve payouts, in live terms", () => {
  expect(ROLES.filter((role) => mayApprove([role]))).toEqual(["owner", "admin", "approver"]);
});

it("a refusal says who may, and a disabled member that they are", () => {
  const refused = () => requireAllowed(active("finance"), "decide_payouts", "live");
  expect(refused).toThrow(
    new Forbidden("Only a member who is owner or admin or approver can approve or cancel payouts."),
  );
  const disabled = { ...active("owner"), disabledAt: new Date(0) };
  expect(() => requireAllowed(disabled, "read_intents", "live")).toThrow(new Forbidden("The member is disabled."));
  expect(requireAllowed(active("owner"), "decide_payouts", "live")).toBeUndefined();
});

it("the table that is shown has every act once, in words of its own, with its roles", () => {
  const table = permissionTable();
  expect(table.map(({ act, roles }) => [act, roles.join(" ")])).toEqual(Object.entries(EXPECTED));
  for (const { act, roles } of table) expect(rolesFor(act)).toEqual(roles);
  const labels = new Set(table.map(({ label }) => label));
  expect(labels.size).toBe(ACTS.length);
  for (const label of labels) expect(label).toMatch(/^[a-z]+ /);
});
