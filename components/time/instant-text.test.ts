import { describe, expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { ageText, leftText, utcText, zonedText } from "./instant-text";

const texts = dashboardTexts("en");

const MINUTE = 60_000;

describe("an instant", () => {
  it("reads the same in UTC on every machine", () => {
    expect(utcText(texts, "2026-11-01T09:05:59.999Z")).toBe("1 Nov 2026, 09:05 UTC");
  });
});

describe("an instant in a zone", () => {
  it.each([
    ["UTC", "1 Nov 2026, 09:05 UTC"],
    ["Europe/Berlin", "1 Nov 2026, 10:05 CET"],
    ["Asia/Tokyo", "1 Nov 2026, 18:05 GMT+9"],
    ["Pacific/Pago_Pago", "31 Oct 2026, 22:05 GMT-11"],
  ])("reads as its clocks show it: %s", (zone, expected) => {
    expect(zonedText(texts, "2026-11-01T09:05:59.999Z", zone)).toBe(expected);
  });
});

describe("how long ago", () => {
  it.each([
    [-5_000, "just now"],
    [59_999, "just now"],
    [60_000, "1 min ago"],
    [60 * MINUTE - 1, "59 min ago"],
    [60 * MINUTE, "1 h ago"],
    [24 * 60 * MINUTE - 1, "23 h ago"],
    [24 * 60 * MINUTE, "1 d ago"],
    [400 * 24 * 60 * MINUTE, "400 d ago"],
  ])("%i ms read %s", (ms, expected) => {
    expect(ageText(texts, ms)).toBe(expected);
  });
});

describe("what is left, in one unit", () => {
  it.each([
    [-5_000, "now"],
    [59_999, "now"],
    [60 * MINUTE - 1, "59 min"],
    [48 * 60 * MINUTE - 1, "47 h"],
    [48 * 60 * MINUTE, "2 d"],
    [7 * 24 * 60 * MINUTE - 1, "6 d"],
  ])("%i ms read %s", (ms, expected) => {
    expect(leftText(texts, ms)).toBe(expected);
  });
});
