import { describe, expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { axisEnd, countText, outcomeText, stretchText } from "./history-text";

const texts = dashboardTexts("en");

describe("the history in words", () => {
  it("names a stretch in the reader's zone", () => {
    expect(stretchText(texts, "2026-11-21T12:00:00.000Z", "America/Sao_Paulo")).toBe(
      "21 Nov 2026, 09:00 GMT-3 – 15:00",
    );
  });

  it("says what was sent, accepted and answered", () => {
    const stretch = { from: "2026-11-21T12:00:00.000Z", attempts: 200, accepted: 199, median_ms: 45, slow_ms: 1_200 };
    expect(outcomeText(texts, stretch)).toBe("99.5% of 200+ accepted, median 45 ms, 95% within 1.2 s");
    expect(outcomeText(texts, { ...stretch, attempts: 3, accepted: 0, median_ms: null, slow_ms: null })).toBe(
      "0.0% of 3 accepted, no answers",
    );
    expect(outcomeText(texts, { ...stretch, attempts: 0, accepted: 0 })).toBe("nothing was sent");
    expect(countText(texts, 199)).toBe("199");
  });

  it("an axis ends at a round time that no figure exceeds", () => {
    expect([0, 10, 11, 45, 120, 501, 10_000, 15_001].map(axisEnd)).toEqual([
      10, 10, 20, 50, 200, 1_000, 10_000, 20_000,
    ]);
  });
});
