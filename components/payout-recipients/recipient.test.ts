import { expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { durationText } from "./recipient";

const texts = dashboardTexts("en");

it.each([
  [86_400, "24 hours"],
  [3_600, "1 hour"],
  [5_400, "90 minutes"],
  [60, "1 minute"],
  [90, "90 seconds"],
])("%i s is %s", (seconds, text) => expect(durationText(texts, seconds)).toBe(text));
