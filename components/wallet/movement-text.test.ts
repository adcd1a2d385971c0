import { expect, it } from "vitest";
import { LEDGER_REASONS } from "@/server/domain/ledger";
import { movementWords } from "@/server/domain/movement-words";
import { dashboardTexts } from "../i18n/catalogues";
import { movementText } from "./movement-text";

const texts = dashboardTexts("en");

it.each(LEDGER_REASONS)("%s has the words of the files", (reason) =>
  expect(movementText(texts, reason)).toBe(movementWords(reason)),
);

it("an unknown reason is shown without underscores", () =>
  expect(movementText(texts, "some_new_reason")).toBe("some new reason"));
