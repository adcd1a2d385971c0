import { prisma } from "./client";

/** Names a member. */
export interface MemberKey {
  readonly merchantId: string;
  readonly id: string;
}

export interface MemberSettings {
  /** An IANA name; null where none was chosen. */
  readonly timeZone: string | null;
  /** An IETF tag; null where none was chosen. */
  readonly language: string | null;
}

/** What the member has chosen. */
export async function findSettings({ merchantId, id: memberId }: MemberKey): Promise<MemberSettings> {
  const row = await prisma().memberSetting.findFirst({ where: { merchantId, memberId } });
  return { timeZone: row?.timeZone ?? null, language: row?.language ?? null };
}

/** Keeps the member's zone, or that they have none. */
export async function storeTimeZone({ merchantId, id: memberId }: MemberKey, timeZone: string | null): Promise<void> {
  const where = { merchantId_memberId: { merchantId, memberId } };
  await prisma().memberSetting.upsert({ where, create: { merchantId, memberId, timeZone }, update: { timeZone } });
}

/** Keeps the member's language, or that they have none. */
export async function storeLanguage({ merchantId, id: memberId }: MemberKey, language: string | null): Promise<void> {
  const where = { merchantId_memberId: { merchantId, memberId } };
  await prisma().memberSetting.upsert({ where, create: { merchantId, memberId, language }, update: { language } });
}
