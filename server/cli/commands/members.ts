import { formatInstant } from "@/server/contract/instants";
import { presentLink } from "@/server/contract/members";
import type { CallContext } from "@/server/domain/scope";
import { env } from "@/server/platform/env";
import { requireMemberByAddress } from "@/server/services/members/by-address";
import { listMembers } from "@/server/services/members/list";
import {
  changeRoles,
  changeTestRoles,
  disableMember,
  enableMember,
  endSessionsOf,
  inviteMember,
  resetPassword,
} from "@/server/services/members/manage";
import { changeName } from "@/server/services/members/names";
import { resetPasskeys } from "@/server/services/sign-in/manage-passkeys";
import { resetIdentities } from "@/server/services/sign-in/sign-in-by-identity";
import { resetTotp } from "@/server/services/sign-in/totp";
import { unlockMember } from "@/server/services/sign-in/unlock";
import { asOperator } from "../acting-as";
import { type Command, defineCommand, optional, required } from "../command";
import { splitList } from "../lists";

/** Members belong to a merchant, not to one environment. The audit log stores no environment for them. */
function asOperatorOf(merchantId: string): CallContext {
  return asOperator({ merchantId, environment: "test" });
}

/** A created link as it is printed. Without BASE_URL it names this machine, which the member may not be at. */
function printedLink(link: Parameters<typeof presentLink>[0]) {
  const { baseUrl, isBaseUrlSet } = env();
  const note = `BASE_URL is not set, so the link begins with ${baseUrl}. Set it to the address of the service, and create another link with members reset-password.`;
  return { ...presentLink(link), ...(isBaseUrlSet ? {} : { note }) };
}

const create = defineCommand({
  name: "members create",
  summary: "Create a member, who chooses a password by the printed link; the link is shown only once",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    email: required("ADDRESS", "unique within the merchant"),
    roles: required("LIST", "one or more of owner,admin,approver,finance,developer"),
    name: optional("NAME", "what people call them"),
  },
  run: async ({ merchant, email, roles, name }) => {
    const wanted = [...new Set(splitList(roles))];
    const { id, ...link } = await inviteMember(asOperatorOf(merchant), { email, name, roles: wanted });
    return { id, merchant_id: merchant, email: email.trim().toLowerCase(), roles: wanted, ...printedLink(link) };
  },
});

const WHO = { merchant: required("ID", "the merchant"), email: required("ADDRESS", "the member") };

interface MemberAddress {
  readonly merchant: string;
  readonly email: string;
}

async function find({ merchant, email }: MemberAddress) {
  const { id } = await requireMemberByAddress(merchant, email);
  return { context: asOperatorOf(merchant), id };
}

interface MemberState {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly roles: readonly string[];
  readonly testRoles: readonly string[] | null;
  readonly disabledAt: Date | null;
}

function present({ id, email, name, roles, testRoles, disabledAt }: MemberState) {
  return { id, email, name, roles, test_roles: testRoles, disabled_at: disabledAt && formatInstant(disabledAt) };
}

const list = defineCommand({
  name: "members list",
  summary: "List the members of a merchant and their roles",
  cells: "merchant",
  options: { merchant: WHO.merchant },
  run: async ({ merchant }) => ({
    data: (await listMembers(merchant)).map(({ lastSeenAt, ...member }) => ({
      ...present(member),
      last_seen_at: lastSeenAt && formatInstant(lastSeenAt),
    })),
  }),
});

const setName = defineCommand({
  name: "members set-name",
  summary: "Set what people call a member",
  cells: "merchant",
  options: { ...WHO, name: required("NAME", "the name; or none") },
  run: async ({ name, ...who }) => {
    const { context, id } = await find(who);
    return { id, name: await changeName(context, id, name === "none" ? null : name) };
  },
});

const setRoles = defineCommand({
  name: "members set-roles",
  summary: "Set the roles of a member; they take effect at the member's next call",
  cells: "merchant",
  options: { ...WHO, roles: required("LIST", "one or more of owner,admin,approver,finance,developer") },
  run: async ({ roles, ...who }) => {
    const { context, id } = await find(who);
    return present(await changeRoles(context, id, splitList(roles)));
  },
});

const setTestRoles = defineCommand({
  name: "members set-test-roles",
  summary: "Give a member other roles in the test environment than in live",
  cells: "merchant",
  options: { ...WHO, roles: required("LIST", "roles, separated by commas; none, or same for those of live") },
  run: async ({ roles, ...who }) => {
    const { context, id } = await find(who);
    const wanted = roles === "same" ? null : roles === "none" ? [] : splitList(roles);
    return present(await changeTestRoles(context, id, wanted));
  },
});

const disable = defineCommand({
  name: "members disable",
  summary: "Disable a member and end their sessions",
  cells: "merchant",
  options: WHO,
  run: async (who) => {
    const { context, id } = await find(who);
    return present(await disableMember(context, id));
  },
});

const enable = defineCommand({
  name: "members enable",
  summary: "Enable a disabled member",
  cells: "merchant",
  options: WHO,
  run: async (who) => {
    const { context, id } = await find(who);
    return present(await enableMember(context, id));
  },
});

const signOut = defineCommand({
  name: "members sign-out",
  summary: "End all sessions of a member",
  cells: "merchant",
  options: WHO,
  run: async (who) => {
    const { context, id } = await find(who);
    return present(await endSessionsOf(context, id));
  },
});

const newPassword = defineCommand({
  name: "members reset-password",
  summary: "End the password and sessions of a member, who chooses a new password by the printed link",
  cells: "merchant",
  options: WHO,
  run: async (who) => {
    const { context, id } = await find(who);
    return { id, ...printedLink(await resetPassword(context, id)) };
  },
});

const resetTotpOf = defineCommand({
  name: "members reset-totp",
  summary: "Remove the one-time codes of a member who has lost access to them; the member can set them up again",
  cells: "merchant",
  options: WHO,
  run: async (who) => {
    const { context, id } = await find(who);
    return { id, was_set_up: await resetTotp(context, id) };
  },
});

const resetPasskeysOf = defineCommand({
  name: "members reset-passkeys",
  summary: "Remove the passkeys of a member who has lost access to them; the member can add them again",
  cells: "merchant",
  options: WHO,
  run: async (who) => {
    const { context, id } = await find(who);
    return { id, removed: await resetPasskeys(context, id) };
  },
});

const resetSingleSignOnOf = defineCommand({
  name: "members reset-single-sign-on",
  summary: "Disconnect a member from the OpenID provider; the next sign-in there connects them again by their address",
  cells: "merchant",
  options: WHO,
  run: async (who) => {
    const { context, id } = await find(who);
    return { id, removed: await resetIdentities(context, id) };
  },
});

const unlock = defineCommand({
  name: "members unlock",
  summary: "End the pauses of a member's sign-in after too many wrong passwords or codes",
  cells: "merchant",
  options: WHO,
  run: async (who) => {
    const { context, id } = await find(who);
    return { id, counts_cleared: await unlockMember(context, id) };
  },
});

export const members: readonly Command[] = [
  create,
  list,
  setName,
  setRoles,
  setTestRoles,
  disable,
  enable,
  signOut,
  newPassword,
  resetTotpOf,
  resetPasskeysOf,
  resetSingleSignOnOf,
  unlock,
];
