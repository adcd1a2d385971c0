import { expect, it } from "vitest";
import { errorPageTexts } from "./error-page-texts";

it.each([
  ["en", "Try again"],
  ["pt-BR", "Tentar de novo"],
  ["es", "Intentar de nuevo"],
  ["", "Try again"],
  ["toString", "Try again"],
])("in a document in %j", (tag, again) => expect(errorPageTexts(tag).again).toBe(again));
