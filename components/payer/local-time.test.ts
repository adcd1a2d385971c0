import { describe, expect, it } from "vitest";
import { localInstant, remainingText } from "./local-time";

const MINUTE = 60_000;
/** Spaces that do not break look like others. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

describe("what is left", () => {
  it.each([
    [72 * 60 * MINUTE, "en", "3 days 0 hr"],
    [24 * 60 * MINUTE - 1_000, "en", "23 hr 59 min"],
    [60 * MINUTE, "pt-BR", "1 h 0 min"],
    [90 * MINUTE, "ja", "1 時間 30 分"],
    [30 * MINUTE, "en", "30:00"],
    [61_000, "pt-BR", "1:01"],
    [61_000, "ar-EG", "١:٠١"],
    [1, "en", "0:01"],
    [0, "en", "0:00"],
    [-5_000, "en", "0:00"],
  ])("%i ms in %s read %s", (ms, locale, expected) => {
    expect(plain(remainingText(ms, locale))).toBe(expected);
  });
});

describe("an instant", () => {
  it.each([
    ["en", "America/Sao_Paulo", "Nov 1, 2026, 6:05 AM GMT-3"],
    ["pt-BR", "America/Sao_Paulo", "1 de nov. de 2026, 06:05 BRT"],
    ["es-MX", "America/Mexico_City", "1 nov 2026, 3:05 a.m. GMT-6"],
    ["ja", "Asia/Tokyo", "2026年11月1日 18:05 JST"],
  ])("reads as people of %s write it", (locale, zone, expected) => {
    expect(plain(localInstant("2026-11-01T09:05:59.999Z", locale, zone))).toBe(expected);
  });
});
