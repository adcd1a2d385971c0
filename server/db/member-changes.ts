// Changes members under a lock of every member that the decision reads, with an audit entry.
import type { Authority } from "@/server/domain/authority";
import { isAllowed, rolesFor } from "@/server/domain/permissions";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query } from "./client";
import { MEMBER_COLUMNS, type Member } from "./members";
import { insertLink, type NewOneTimeLink, spendLink, voidLink } from "./one-time-links";
import { decideGrant, insertGrant, type ProposedGrant, supersedeGrants } from "./role-grants";
import { deleteFactorsSince } from "./second-factors";
import { endOtherSessions } from "./sessions";
import type { Transaction } from "./transaction";

/** What the decision sees, as it is and stays until the change is made. */
export interface MemberWorld {
  readonly target: Target;
  /** Who makes the change; null when it is no member. */
  readonly actor: Member | null;
  /** The merchant's active owners and admins. */
  readonly managers: readonly Manager[];
  /** Who was one of them and is still asked for as a second person. */
  readonly formerManagers: readonly Manager[];
}

export interface Manager extends Member {
  /** Since when their authority counts in live. */
  readonly authorityFrom: Date;
  /** Until then they are asked for as a second person, whatever was done to them; null if nothing was. */
  readonly secondPersonUntil: Date | null;
}

/** A member whose access is changed. */
interface Target extends Member {
  /** Advances when sessions of the member are ended. */
  readonly accessVersion: number;
}

/** What becomes of a member. `before` and `after` are for the audit log: no secret, nor the hash of one. */
export interface MemberPatch {
  readonly action: string;
  readonly data: {
    readonly roles?: string[];
    /** Null: the same as in live. */
    readonly testRoles?: readonly string[] | null;
    readonly disabledAt?: Date | null;
    /** Null removes the password. */
    readonly passwordHash?: string | null;
    /** Set where the change gives authority, or the means to act with it. */
    readonly authority?: Authority;
  };
  /** A new link, or the token hash of the one that this change uses. Without either, an earlier link is void. */
  readonly link?: { readonly created: NewOneTimeLink } | { readonly usedHash: string };
  /** True for a change that only voids a link: without an unused one, nothing happens. */
  readonly onlyVoidsLink?: true;
  /** A grant that this change proposes, or decides on. Without either, a change of roles or access supersedes an open one. */
  readonly grant?: { readonly proposed: ProposedGrant } | { readonly id: string; readonly verdict: GrantVerdict };
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>>;
  readonly endsSessions: boolean;
  /** Passkeys and one-time codes set up since then are removed. */
  readonly removesFactorsSince?: Date;
  /** The one session that goes on. */
  readonly keepSession?: string;
}

type GrantVerdict = "confirmed" | "rejected";

const MANAGER_COLUMNS = `${MEMBER_COLUMNS}, authority_live_from AS "authorityFrom",
  second_person_until AS "secondPersonUntil"`;

const LOCK = `
  SELECT ${MANAGER_COLUMNS}, access_version AS "accessVersion" FROM member
  WHERE merchant_id = $1 AND (id = $2 OR id = $3 OR roles && $4::text[] OR second_person_until > $5::timestamptz)
  ORDER BY id FOR UPDATE`;

/** The row is locked: columns that the patch leaves out keep their values. */
const UPDATE = `
  UPDATE member SET roles = $3, disabled_at = $4::timestamptz,
    password_hash = CASE WHEN $5::boolean THEN $6::text ELSE password_hash END,
    authority_test_from = coalesce($7::timestamptz, authority_test_from),
    authority_live_from = coalesce($8::timestamptz, authority_live_from),
    test_roles = CASE WHEN $9::boolean THEN $10::text[] ELSE test_roles END
  WHERE merchant_id = $1 AND id = $2`;

/** The grant that the change was to decide on is not open any more; the change was undone. */
export class GrantNotOpen extends Error {
  override readonly name = "GrantNotOpen";
}

/** The link that the change was to use is not usable any more; the change was undone. */
export class LinkNotUsable extends Error {
  override readonly name = "LinkNotUsable";
}

/**
 * Changes the member as `decide` says; null without such a member. What `decide` throws undoes everything; null from it
 * means that there is nothing to change. Throws LinkNotUsable and GrantNotOpen.
 */
export async function changeMember(
  merchantId: string,
  id: string,
  decide: (world: MemberWorld) => MemberPatch | null,
  act: Act,
): Promise<Member | null> {
  return inTransaction(async (transaction) => {
    const actorId = act.actor.type === "member" ? act.actor.id : null;
    const managing = rolesFor("manage_members");
    const locked = await transaction.query<Manager & Target>(LOCK, merchantId, id, actorId, managing, act.at);
    const target = locked.find((member) => member.id === id);
    if (!target) return null;
    const actor = locked.find((member) => member.id === actorId) ?? null;
    const patch = decide({ target, actor, ...managersAmong(locked, act.at) });
    if (!patch) return target;
    const { action, data, before, after, endsSessions, keepSession = "" } = patch;
    const { roles = target.roles, disabledAt = target.disabledAt, passwordHash, authority, testRoles } = data;
    const key = { merchantId, memberId: id };
    const isVoided = await changeLink(transaction, key, patch.link, act);
    if (patch.onlyVoidsLink && !isVoided) return target;
    await changeGrant(transaction, key, patch, act);
    const password = [passwordHash !== undefined, passwordHash ?? null];
    const since = [authority?.testFrom ?? null, authority?.liveFrom ?? null];
    const inTest = [testRoles !== undefined, testRoles ?? null];
    await transaction.query(UPDATE, merchantId, id, roles, disabledAt, ...password, ...since, ...inTest);
    const ended = endsSessions ? await endOtherSessions(transaction, { ...key, keepSession }, act.at) : 0;
    const change = { merchantId, environment: null, action, objectId: id, before };
    const removedSince = patch.removesFactorsSince;
    const removed = removedSince ? await deleteFactorsSince(transaction, key, removedSince) : 0;
    const facts = {
      ...after,
      ...(endsSessions && { sessions_ended: ended }),
      ...(removed > 0 && { factors_removed: removed }),
    };
    await recordChange(transaction, { ...change, after: facts }, act);
    return { ...target, roles, disabledAt, testRoles: testRoles === undefined ? target.testRoles : testRoles };
  });
}

function managersAmong(members: readonly Manager[], at: Date): Pick<MemberWorld, "managers" | "formerManagers"> {
  const isManager = (member: Manager) => isAllowed(member, "manage_members", "live");
  const isFormer = (member: Manager) => member.secondPersonUntil !== null && member.secondPersonUntil > at;
  return { managers: members.filter(isManager), formerManagers: members.filter(isFormer) };
}

async function changeGrant(
  transaction: Transaction,
  key: { readonly merchantId: string; readonly memberId: string },
  { grant, data }: MemberPatch,
  act: Act,
): Promise<void> {
  if (grant && "id" in grant) {
    if (!(await decideGrant(transaction, key.merchantId, grant, act))) throw new GrantNotOpen();
  } else if (grant) {
    await insertGrant(transaction, key, grant.proposed, act);
  } else if (data.roles !== undefined || data.disabledAt !== undefined) {
    await supersedeGrants(transaction, key, act);
  }
}

/** Returns true if an unused link was voided. */
async function changeLink(
  transaction: Transaction,
  key: { readonly merchantId: string; readonly memberId: string },
  link: MemberPatch["link"],
  act: Act,
): Promise<boolean> {
  if (link && "usedHash" in link) {
    if (!(await spendLink(transaction, key, link.usedHash, act.at))) throw new LinkNotUsable();
    return false;
  }
  const isVoided = await voidLink(transaction, key);
  if (link) await insertLink(transaction, key, link.created, act);
  return isVoided;
}

/** The merchant's active owners and admins, and who was one of them and is still asked for as a second person. */
export async function findManagers(
  merchantId: string,
  at: Date,
): Promise<Pick<MemberWorld, "managers" | "formerManagers">> {
  const members = await query<Manager>(
    `SELECT ${MANAGER_COLUMNS} FROM member
     WHERE merchant_id = $1 AND (roles && $2::text[] OR second_person_until > $3::timestamptz)`,
    merchantId,
    rolesFor("manage_members"),
    at,
  );
  return managersAmong(members, at);
}
