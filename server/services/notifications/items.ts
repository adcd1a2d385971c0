// Describes what a message is about, from the rows as they are when it is sent. What is over, and what the receiver may no
// longer see, is left out.
import { hasMerchantLeft, isMerchantAway } from "@/server/db/failures";
import { findMemberById } from "@/server/db/member-credentials";
import type { ClaimedMessage, ClaimedNotification } from "@/server/db/notifications/outbox";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { NOBODY } from "@/server/domain/exceptions";
import { ACT_FOR, type SentType } from "@/server/domain/notification";
import { isAllowed } from "@/server/domain/permissions";
import { withinMerchant } from "@/server/platform/reach";
import { languageOfMails } from "../members/settings";
import { merchantSettings } from "../merchants/settings";
import { describe, type Item, type Reader } from "./describe";

export interface Receiver {
  /** Null for the operator. */
  readonly email: string | null;
  readonly language: DashboardLanguage;
  /** What still concerns the receiver, by notification id. */
  readonly items: ReadonlyMap<string, Item>;
  /** Notifications about merchants that are moving to another cell: what concerns them shows later. */
  readonly waiting: ReadonlySet<string>;
  /** Notifications about merchants that have left for another cell, which finds the same facts. */
  readonly left: ReadonlySet<string>;
}

type Described = Omit<Receiver, "email" | "language">;

/** Describes a message for its receiver; null if the receiver is a member who is disabled. */
export async function describeMessage(message: ClaimedMessage): Promise<Receiver | null> {
  const { merchantId, memberId, environment, notifications } = message;
  if (memberId === null) {
    const reader = { memberId, language: "en" } as const;
    return { email: null, language: "en", ...(await describeAll(message, reader, notifications)) };
  }
  const member = await withinMerchant(merchantId, () => findMemberById(merchantId, memberId));
  if (!member || member.disabledAt !== null) return null;
  const allowed = notifications.filter(({ type }) => {
    const act = type === "test" ? null : ACT_FOR[type];
    return act === null || isAllowed(member, act, environment);
  });
  // Programs read webhooks, whose words are a contract.
  const language = message.channel === "webhook" ? "en" : await languageOfMails({ merchantId, id: memberId });
  return { email: member.email, language, ...(await describeAll(message, { memberId, language }, allowed)) };
}

/** Per merchant and type, so that each group is one statement. */
async function describeAll(
  { environment }: ClaimedMessage,
  reader: Reader,
  notifications: readonly ClaimedNotification[],
): Promise<Described> {
  const items = new Map<string, Item>();
  const [waiting, left] = [new Set<string>(), new Set<string>()];
  for (const group of groupsOf(notifications)) {
    const { aboutMerchantId, members } = group;
    try {
      const described = await withinMerchant(aboutMerchantId, () => describeGroup(group, environment, reader));
      for (const [id, item] of described) items.set(id, item);
    } catch (error) {
      if (!isMerchantAway(error)) throw error;
      const away = hasMerchantLeft(error) ? left : waiting;
      for (const { id } of members) away.add(id);
    }
  }
  return { items, waiting, left };
}

/** The items of the group that there are, with the ids of their notifications. */
async function describeGroup(
  { aboutMerchantId: merchantId, type, members }: Group,
  environment: ClaimedMessage["environment"],
  reader: Reader,
): Promise<readonly (readonly [string, Item])[]> {
  const ids = members.map(({ objectId }) => objectId);
  const found = await describe({ merchantId, environment }, type, ids, reader);
  if (found.size === 0) return [];
  const name = merchantId === NOBODY ? null : (await merchantSettings(merchantId)).name;
  const merchant = name === null ? null : { id: merchantId, name };
  return members.flatMap(({ id, objectId }) => {
    const item = found.get(objectId);
    return item ? [[id, { type, merchant, ...item }] as const] : [];
  });
}

interface Group {
  readonly aboutMerchantId: string;
  readonly type: SentType;
  readonly members: ClaimedNotification[];
}

function groupsOf(notifications: readonly ClaimedNotification[]): Group[] {
  const groups = new Map<string, Group>();
  for (const notification of notifications) {
    const { aboutMerchantId, type } = notification;
    const key = `${aboutMerchantId}/${type}`;
    const group = groups.get(key) ?? { aboutMerchantId, type, members: [] };
    group.members.push(notification);
    groups.set(key, group);
  }
  return [...groups.values()];
}
