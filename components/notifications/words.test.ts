import { expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { timesText, typesFor } from "./words";

const texts = dashboardTexts("en");

const TERMS = { pace: "immediate", time_zone: "America/Sao_Paulo", daily_at: "09:00", quiet_hours: null } as const;

it("shows times with their zone where they have one", () => {
  expect(timesText(texts, TERMS)).toBe("At once");
  expect(timesText(texts, { ...TERMS, pace: "daily" })).toBe("Once a day at 09:00, America/Sao Paulo");
  expect(timesText(texts, { ...TERMS, pace: "hourly", quiet_hours: { from: "22:00", until: "07:00" } })).toBe(
    "Once an hour, but not from 22:00 to 07:00, America/Sao Paulo",
  );
});

it("changes of access are not offered for mail", () => {
  expect(typesFor("mail", ["exception_opened", "security"])).toEqual(["exception_opened"]);
  expect(typesFor("slack", ["exception_opened", "security"])).toEqual(["exception_opened", "security"]);
});
