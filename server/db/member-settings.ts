import { prisma } from "./client";

/** Names a member. */
export interface MemberKey {
  readonly merchantId: string;
  readonly id: string;
}

/** The IANA name of the member's zone; null where none was chosen. */
export async function findTimeZone({ merchantId, id: memberId }: MemberKey): Promise<string | null> {
  return (await prisma().memberSetting.findFirst({ where: { merchantId, memberId } }))?.timeZone ?? null;
}

/** Keeps the member's zone, or that they have none. */
export async function storeTimeZone({ merchantId, id: memberId }: MemberKey, timeZone: string | null): Promise<void> {
  const where = { merchantId_memberId: { merchantId, memberId } };
  await prisma().memberSetting.upsert({ where, create: { merchantId, memberId, timeZone }, update: { timeZone } });
}

/** The IETF tag of the member's language; null where none was chosen. */
export async function findLanguage({ merchantId, id: memberId }: MemberKey): Promise<string | null> {
  return (await prisma().memberSetting.findFirst({ where: { merchantId, memberId } }))?.language ?? null;
}

/** Keeps the member's language, or that they have none. */
export async function storeLanguage({ merchantId, id: memberId }: MemberKey, language: string | null): Promise<void> {
  const where = { merchantId_memberId: { merchantId, memberId } };
  await prisma().memberSetting.upsert({ where, create: { merchantId, memberId, language }, update: { language } });
}
