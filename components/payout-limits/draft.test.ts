import { expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { draftOf, readDraft } from "./draft";

const texts = dashboardTexts("en");

const MERCHANTS = {
  api_key_id: null,
  currency: "BRL",
  amount_at_most: "1050",
  day_at_most: null,
  recipient_day_at_most: "100000",
};

it("returns the limits from which it was made; those of another currency are none", () => {
  const draft = draftOf(texts, [MERCHANTS], ["", "BRL"]);
  expect(draft).toMatchObject({ amount: "10.50", day: "", recipientDay: "1000.00" });
  expect(readDraft(texts, draft)).toEqual({ limits: MERCHANTS });
  const none = { ...MERCHANTS, currency: "JPY", amount_at_most: null, recipient_day_at_most: null };
  expect(readDraft(texts, draftOf(texts, [MERCHANTS], ["", "JPY"]))).toEqual({ limits: none });
});

it("a key has no limit per recipient", () => {
  const draft = { ...draftOf(texts, [MERCHANTS], ["", "BRL"]), keyId: "key_1" };
  expect(readDraft(texts, draft)).toEqual({
    limits: { ...MERCHANTS, api_key_id: "key_1", recipient_day_at_most: null },
  });
});

it.each(["0", "-5", "five", "5.123"])("rejects the amount %s", (amount) => {
  expect(readDraft(texts, { ...draftOf(texts, [], ["", "BRL"]), amount })).toEqual({
    fault: expect.stringContaining("BRL") as string,
  });
});
