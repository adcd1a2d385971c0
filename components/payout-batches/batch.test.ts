import { expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { warningsText } from "./batch";

const texts = dashboardTexts("en");

const warning = (isFirst: boolean, isRepeated = false) => ({
  id: "word_1",
  is_first_time_recipient: isFirst,
  repeated: isRepeated ? { id: "word_2", created_at: "2026-11-24T00:00:00.000Z" } : null,
});

it("warnings are counted by kind", () => {
  expect(warningsText(texts, [])).toBe("");
  expect(warningsText(texts, [warning(true), warning(false)])).toBe("1 first payment to an account");
  expect(warningsText(texts, [warning(true, true), warning(true), warning(false, true)])).toBe(
    "2 first payments to an account, 2 possible duplicates",
  );
});
