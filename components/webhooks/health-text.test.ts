import { expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { answerText, baseText, durationText, rateText, waitingText } from "./health-text";

const texts = dashboardTexts("en");

it("a rate is rounded, but is 100% only if all were accepted, and 0% only if none was", () => {
  expect(rateText(texts, { attempts: 0, accepted: 0 })).toBeNull();
  expect(rateText(texts, { attempts: 3, accepted: 2 })).toBe("66.7%");
  expect(rateText(texts, { attempts: 999, accepted: 999 })).toBe("100.0%");
  expect(rateText(texts, { attempts: 10_000, accepted: 9_999 })).toBe("99.9%");
  expect(rateText(texts, { attempts: 10_000, accepted: 1 })).toBe("0.1%");
});

it("the base says of what the rate is", () => {
  expect(baseText(texts, { attempts: 0, accepted: 0 })).toBe("nothing sent in 24 hours");
  expect(baseText(texts, { attempts: 212, accepted: 0 })).toBe("of 212 in 24 hours");
  expect(baseText(texts, { attempts: 1_000, accepted: 7 })).toBe("of the newest 1,000");
});

it("durations and counts are short", () => {
  expect([0, 999, 1_000, 14_960].map((ms) => durationText(texts, ms))).toEqual(["0 ms", "999 ms", "1.0 s", "15.0 s"]);
  expect([0, 999, 1_000].map((count) => waitingText(texts, count))).toEqual(["0", "999", "1,000+"]);
});

it("an answer that broke off is named by its error, although its status is known", () => {
  expect(answerText(texts, 500, null)).toBe("HTTP 500");
  expect(answerText(texts, null, "dns")).toBe("host name not found");
  expect(answerText(texts, 200, "timeout")).toBe("no answer in time");
  expect(answerText(texts, null, "later_word")).toBe("later_word");
  expect(answerText(texts, null, null)).toBe("no answer");
});
