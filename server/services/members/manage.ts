// Managing members: invitations, roles, disabling, sign-out and passwords.

import { hash } from "@node-rs/argon2";
import { type Act, actOf } from "@/server/db/audit/record";
import { isRefusedBy } from "@/server/db/failures";
import { changeMember, type MemberPatch, type MemberWorld } from "@/server/db/member-changes";
import { insertMember, type Member } from "@/server/db/members";
import { findMerchant } from "@/server/db/merchants";
import { type Authority, authorityGiven } from "@/server/domain/authority";
import { notFoundError, validationError } from "@/server/domain/errors";
import { mayApprove } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { isId, newId, randomText } from "@/server/platform/ids";
import { merchantSettings } from "../merchants/settings";
import { isPasswordOf } from "../sign-in/sign-in";
import { actingMember } from "./acting-member";
import { readRoles, requireMayTouch, requireOwnerLeft } from "./manage-rules";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const MINIMUM_PASSWORD = 12;
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** From an alphabet of 62 characters: about 119 bits. */
const MADE_PASSWORD_LENGTH = 20;

/** Hashes a password that a person chose. Throws validation_failed if it is too short. */
async function hashPassword(password: string): Promise<string> {
  if (password.length < MINIMUM_PASSWORD)
    throw validationError("password", `must have at least ${MINIMUM_PASSWORD} characters`);
  return hash(password, ARGON2);
}

export interface NewPerson {
  readonly email: string;
  readonly roles: readonly string[];
}

/**
 * Adds a member with a password; returns the id. Throws validation_failed, not_found for an unknown merchant, and
 * Forbidden if a member who is not an owner adds an owner or admin.
 */
export async function addMember(context: CallContext, person: NewPerson, password: string): Promise<string> {
  const { merchantId } = context.scope;
  const email = person.email.trim().toLowerCase();
  if (!EMAIL.test(email)) throw validationError("email", "must be an email address");
  const passwordHash = await hashPassword(password);
  const roles = readRoles(person.roles);
  if (!(await findMerchant(merchantId))) throw notFoundError();
  requireMayTouch(await actingMember(context), roles);
  const id = newId("member");
  const act = actOf(context);
  const authority = await authorityOf(merchantId, act);
  try {
    await insertMember({ id, merchantId, email, passwordHash, roles, authority }, act);
  } catch (error) {
    if (!isRefusedBy(error, "member_merchant_id_email_key")) throw error;
    throw validationError("email", "already belongs to a member of this merchant");
  }
  return id;
}

/** The authority that an act gives to a member. */
async function authorityOf(merchantId: string, { at, actor }: Act): Promise<Authority> {
  return authorityGiven(at, actor, (await merchantSettings(merchantId)).authorityCoolDownSeconds);
}

/** Adds a member with a generated password, which is shown once. Throws as `addMember` does. */
export async function inviteMember(context: CallContext, person: NewPerson) {
  const password = randomText(MADE_PASSWORD_LENGTH);
  return { id: await addMember(context, person, password), password };
}

/** Replaces the member's roles, effective from their next call. Throws not_found, validation_failed and Forbidden. */
export function changeRoles(context: CallContext, id: string, wanted: readonly string[]): Promise<Member> {
  const roles = readRoles(wanted);
  return change(context, id, ({ target, actor, activeOwners }, given) => {
    requireMayTouch(actor, target.roles, roles);
    if (!roles.includes("owner")) requireOwnerLeft(activeOwners, target);
    if (target.roles.length === roles.length && roles.every((role) => target.roles.includes(role))) return null;
    const [before, after] = [{ roles: target.roles }, { roles }];
    const authority = mayApprove(roles) && !mayApprove(target.roles) ? { authority: given } : {};
    return { action: "member.change_roles", data: { roles, ...authority }, before, after, endsSessions: false };
  });
}

/** Disables the member and their sessions. Throws not_found, Forbidden, and validation_failed for the last owner. */
export function disableMember(context: CallContext, id: string): Promise<Member> {
  const { at } = actOf(context);
  return change(context, id, ({ target, actor, activeOwners }) => {
    requireMayTouch(actor, target.roles);
    requireOwnerLeft(activeOwners, target);
    if (target.disabledAt !== null) return null;
    const [before, after] = [{ disabled_at: null }, { disabled_at: at }];
    return { action: "member.disable", data: { disabledAt: at }, before, after, endsSessions: true };
  });
}

/** Enables a disabled member. Throws not_found and Forbidden. */
export function enableMember(context: CallContext, id: string): Promise<Member> {
  return change(context, id, ({ target, actor }, given) => {
    requireMayTouch(actor, target.roles);
    if (target.disabledAt === null) return null;
    const [before, after] = [{ disabled_at: target.disabledAt }, { disabled_at: null }];
    const data = { disabledAt: null, authority: given };
    return { action: "member.enable", data, before, after, endsSessions: false };
  });
}

/** Ends all sessions of the member. Throws not_found and Forbidden. */
export function endSessionsOf(context: CallContext, id: string): Promise<Member> {
  return change(context, id, ({ target, actor }) => {
    requireMayTouch(actor, target.roles);
    return { action: "member.end_sessions", data: {}, before: null, after: {}, endsSessions: true };
  });
}

/** Sets a generated password, which is shown once, and ends the member's sessions. Throws not_found and Forbidden. */
export async function resetPassword(context: CallContext, id: string): Promise<{ readonly password: string }> {
  const password = randomText(MADE_PASSWORD_LENGTH);
  const passwordHash = await hashPassword(password);
  await change(context, id, ({ target, actor }, given) => {
    requireMayTouch(actor, target.roles);
    const data = { passwordHash, authority: given };
    return { action: "member.reset_password", data, before: null, after: {}, endsSessions: true };
  });
  return { password };
}

/**
 * Changes the calling member's password and ends their other sessions. Throws validation_failed if the current password
 * is wrong or the new one is too short.
 */
export async function changeOwnPassword(
  context: CallContext,
  { current, next, keepSession }: { readonly current: string; readonly next: string; readonly keepSession: string },
): Promise<void> {
  const { id } = context.actor;
  if (!(await isPasswordOf(context, current))) throw validationError("password", "is not your current password");
  const passwordHash = await hashPassword(next);
  await change(context, id, () => ({
    action: "member.change_password",
    data: { passwordHash },
    before: null,
    after: {},
    endsSessions: true,
    keepSession,
  }));
}

/** `given` is the authority that the change gives, where it gives any. */
async function change(
  context: CallContext,
  id: string,
  decide: (world: MemberWorld, given: Authority) => MemberPatch | null,
): Promise<Member> {
  const { merchantId } = context.scope;
  if (!isId("member", id)) throw notFoundError();
  const act = actOf(context);
  const given = await authorityOf(merchantId, act);
  const member = await changeMember(merchantId, id, (world) => decide(world, given), act);
  if (!member) throw notFoundError();
  return member;
}
