// The dashboard's procedures on members.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { changeRolesBody, inviteMemberBody, presentLink } from "@/server/contract/members";
import { stepUpProof } from "@/server/contract/step-up";
import { permissionTable } from "@/server/domain/permissions";
import { listMembers } from "@/server/services/members/list";
import {
  changeRoles,
  changeTestRoles,
  disableMember,
  enableMember,
  endSessionsOf,
  inviteMember,
  resetPassword,
  revokeLink,
} from "@/server/services/members/manage";
import { confirmGrant, listOpenGrants, type OpenGrant, rejectGrant } from "@/server/services/members/role-grants";
import { hasPasskey } from "@/server/services/sign-in/passkeys";
import {
  requireSecondFactor,
  requireStepUp,
  STEP_UP_ACTS,
  setStepUp,
  showStepUp,
} from "@/server/services/sign-in/step-up";
import { hasTotp } from "@/server/services/sign-in/totp";
import { memberProcedure, router } from "./procedures";

const manage = memberProcedure("manage_members");
const stepUp = memberProcedure("manage_step_up");
const person = z.object({ id: z.string().max(64) });
const actOnPerson = person.extend(stepUpProof.shape);
const grant = z.object({ grant_id: z.string().max(64) });

type MemberListItem = Awaited<ReturnType<typeof listMembers>>[number];

function presentMember({ id, email, name, roles, disabledAt, createdAt, lastSeenAt, ...access }: MemberListItem) {
  return {
    id,
    email,
    name,
    roles,
    test_roles: access.testRoles,
    disabled_at: disabledAt && formatInstant(disabledAt),
    has_password: access.hasPassword,
    has_identity: access.hasIdentity,
    has_passkey: access.hasPasskey,
    has_codes: access.hasCodes,
    link_expires_at: access.linkExpiresAt && formatInstant(access.linkExpiresAt),
    created_at: formatInstant(createdAt),
    last_sign_in_at: access.lastSignInAt && formatInstant(access.lastSignInAt),
    open_sessions: access.openSessions,
    last_seen_at: lastSeenAt && formatInstant(lastSeenAt),
  };
}

function presentGrant({ id, memberId, roles, enables, proposedById, proposedAt }: OpenGrant) {
  return {
    id,
    member_id: memberId,
    roles,
    enables,
    proposed_by_id: proposedById,
    proposed_at: formatInstant(proposedAt),
  };
}

export const membersRouter = router({
  list: manage.query(async ({ ctx: { call } }) => {
    const { merchantId } = call.scope;
    const [members, grants] = await Promise.all([listMembers(merchantId), listOpenGrants(merchantId)]);
    return { members: members.map(presentMember), grants: grants.map(presentGrant), permissions: permissionTable() };
  }),

  /** Other roles in the test environment; null for the same as in live. */
  setTestRoles: manage
    .input(actOnPerson.extend({ roles: z.array(z.string().max(32)).max(10).nullable() }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "members", input);
      return { test_roles: (await changeTestRoles(call, input.id, input.roles)).testRoles };
    }),

  /** Gives the roles that another member proposed. */
  confirmGrant: manage.input(grant.extend(stepUpProof.shape)).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "members", input);
    return { roles: (await confirmGrant(call, input.grant_id)).roles };
  }),

  rejectGrant: manage.input(grant).mutation(async ({ ctx: { call }, input }) => {
    await rejectGrant(call, input.grant_id);
    return { id: input.grant_id };
  }),

  /** Returns the link by which the new member chooses a password, shown only once. */
  invite: manage.input(inviteMemberBody.extend(stepUpProof.shape)).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "members", input);
    const { id, ...link } = await inviteMember(call, input);
    return { id, ...presentLink(link) };
  }),

  /** Roles that are not in the answer wait for another member's confirmation. */
  setRoles: manage.input(changeRolesBody.extend(actOnPerson.shape)).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "members", input);
    return { roles: (await changeRoles(call, input.id, input.roles)).roles };
  }),

  disable: manage.input(actOnPerson).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "members", input);
    await disableMember(call, input.id);
    return { id: input.id };
  }),

  enable: manage.input(actOnPerson).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "members", input);
    const { disabledAt } = await enableMember(call, input.id);
    return { id: input.id, awaits_confirmation: disabledAt !== null };
  }),

  endSessions: manage.input(actOnPerson).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "members", input);
    await endSessionsOf(call, input.id);
    return { id: input.id };
  }),

  revokeLink: manage.input(person).mutation(async ({ ctx: { call }, input }) => {
    await revokeLink(call, input.id);
    return { id: input.id };
  }),

  /** Returns the link by which the member chooses a new password, shown only once. */
  resetPassword: manage.input(actOnPerson).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "members", input);
    return presentLink(await resetPassword(call, input.id));
  }),

  /** Which acts require a second factor, which of them the caller has, and how many members concerned have one. */
  stepUp: stepUp.query(async ({ ctx: { call } }) => {
    const { merchantId } = call.scope;
    const member = { merchantId, memberId: call.actor.id };
    const [acts, hasCodes, hasKey] = await Promise.all([showStepUp(merchantId), hasTotp(member), hasPasskey(member)]);
    return {
      is_set_up: hasCodes || hasKey,
      acts: acts.map(({ act, isRequired, members, withSecondFactor }) => ({
        act,
        is_required: isRequired,
        members,
        with_second_factor: withSecondFactor,
      })),
    };
  }),

  /** Always requires a passkey or a code of the caller: members who require a second factor must have one. */
  setStepUp: stepUp
    .input(z.object({ ...stepUpProof.shape, required_for: z.array(z.enum(STEP_UP_ACTS)).max(10) }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireSecondFactor(call, input);
      return { required_for: await setStepUp(call, input.required_for) };
    }),
});
