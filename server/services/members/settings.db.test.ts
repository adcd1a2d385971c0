// The tests of what members choose for themselves.
import { afterAll, expect, it } from "vitest";
import { chosenLanguage } from "@/server/auth/member-language";
import { disconnect } from "@/server/db/client";
import type { MemberKey } from "@/server/db/member-settings";
import { storeLanguage } from "@/server/db/member-settings";
import { allCells } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
import { chooseLanguage, chooseTimeZone, languageOfMails, settingsOf } from "./settings";

const timeZoneOf = async (member: MemberKey) => (await settingsOf(member)).timeZone;
const languageOf = async (member: MemberKey) => (await settingsOf(member)).language;

afterAll(() => disconnect());

it("a member's zone is kept until another is chosen, and is nobody else's", async () => {
  const merchant = await makeMerchant();
  const [one, other] = [merchant.byMember(), merchant.byMember()].map(({ actor }) => ({
    merchantId: merchant.merchantId,
    id: actor.id,
  }));
  if (!one || !other) throw new Error("there are no members");
  expect(await timeZoneOf(one)).toBeNull();
  for (const zone of ["Asia/Tokyo", "UTC", "America/Sao_Paulo", null]) {
    await chooseTimeZone(one, zone);
    expect([await timeZoneOf(one), await timeZoneOf({ ...other, id: `${other.id}x` })]).toEqual([zone, null]);
  }
});

it("what is no zone is refused, and the zone stays", async () => {
  const merchant = await makeMerchant();
  const member = { merchantId: merchant.merchantId, id: merchant.byMember().actor.id };
  await chooseTimeZone(member, "Asia/Tokyo");
  for (const name of ["", "Mars/Base", "+03:00", "asia/tokyo'"])
    await expect(chooseTimeZone(member, name)).rejects.toThrow(/time_zone/);
  expect(await timeZoneOf(member)).toBe("Asia/Tokyo");
});

it("a member's language is kept until another is chosen, and pages find it from outside the merchant", async () => {
  const merchant = await makeMerchant();
  const member = { merchantId: merchant.merchantId, id: merchant.byMember().actor.id };
  const [cell] = allCells();
  const session = { merchantId: merchant.merchantId, sessionId: "ses_1", member };
  for (const language of ["es", "pt-BR", "en", null] as const) {
    await chooseLanguage(member, language);
    expect([await languageOf(member), await chosenLanguage(cell, () => session)]).toEqual([language, language]);
  }
  expect(await chosenLanguage(cell, () => null)).toBeNull();
});

it("zone and language do not replace each other, and a language without a catalogue counts as none", async () => {
  const merchant = await makeMerchant();
  const member = { merchantId: merchant.merchantId, id: merchant.byMember().actor.id };
  await chooseLanguage(member, "es");
  await chooseTimeZone(member, "Asia/Tokyo");
  expect([await languageOf(member), await timeZoneOf(member)]).toEqual(["es", "Asia/Tokyo"]);
  await storeLanguage(member, "tlh");
  expect([await languageOf(member), await timeZoneOf(member)]).toEqual([null, "Asia/Tokyo"]);
});

it("mails to a member have their language, else the one of who sends them, else English", async () => {
  const merchant = await makeMerchant();
  const [member, sender] = [merchant.byMember(), merchant.byMember()].map(({ actor }) => ({
    merchantId: merchant.merchantId,
    id: actor.id,
  }));
  if (!member || !sender) throw new Error("there are no members");
  expect([await languageOfMails(member), await languageOfMails(member, sender)]).toEqual(["en", "en"]);
  await chooseLanguage(sender, "pt-BR");
  expect([await languageOfMails(member), await languageOfMails(member, sender)]).toEqual(["en", "pt-BR"]);
  await chooseLanguage(member, "es");
  expect([await languageOfMails(member), await languageOfMails(member, sender)]).toEqual(["es", "es"]);
  const stranger = await makeMerchant();
  const elsewhere = { merchantId: stranger.merchantId, id: stranger.byMember().actor.id };
  expect(await languageOfMails(elsewhere, { ...sender, merchantId: stranger.merchantId })).toBe("en");
});
