// Owns the dashboard's procedures on members: list with the matrix of roles, invite, change roles, keep out, sign out.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { changeRolesBody, inviteMemberBody } from "@/server/contract/members";
import { listMembers } from "@/server/services/members/list";
import {
  changeRoles,
  disableMember,
  enableMember,
  endSessionsOf,
  inviteMember,
  resetPassword,
} from "@/server/services/members/manage";
import { permissionTable } from "@/server/services/members/roles";
import { memberProcedure, router } from "./procedures";

const manage = memberProcedure("manage_members");
const person = z.object({ id: z.string().max(64) });

type Listed = Awaited<ReturnType<typeof listMembers>>[number];

function presentMember({ id, email, roles, disabledAt, createdAt, lastSeenAt }: Listed) {
  return {
    id,
    email,
    roles,
    disabled_at: disabledAt && formatInstant(disabledAt),
    created_at: formatInstant(createdAt),
    last_seen_at: lastSeenAt && formatInstant(lastSeenAt),
  };
}

export const membersRouter = router({
  list: manage.query(async ({ ctx: { call } }) => ({
    members: (await listMembers(call.scope.merchantId)).map(presentMember),
    permissions: permissionTable(),
  })),

  /** With the password, shown this once. */
  invite: manage.input(inviteMemberBody).mutation(({ ctx: { call }, input }) => inviteMember(call, input)),

  setRoles: manage.input(changeRolesBody.extend(person.shape)).mutation(async ({ ctx: { call }, input }) => ({
    roles: (await changeRoles(call, input.id, input.roles)).roles,
  })),

  disable: manage.input(person).mutation(async ({ ctx: { call }, input }) => {
    await disableMember(call, input.id);
    return { id: input.id };
  }),

  enable: manage.input(person).mutation(async ({ ctx: { call }, input }) => {
    await enableMember(call, input.id);
    return { id: input.id };
  }),

  endSessions: manage.input(person).mutation(async ({ ctx: { call }, input }) => {
    await endSessionsOf(call, input.id);
    return { id: input.id };
  }),

  /** With the new password, shown this once. */
  resetPassword: manage.input(person).mutation(({ ctx: { call }, input }) => resetPassword(call, input.id)),
});
