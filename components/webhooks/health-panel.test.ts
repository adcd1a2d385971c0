// When an endpoint's next attempt is, in the reader's language.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import type { PresentedHealth } from "@/server/trpc/present/endpoint-health";
import { compiledTexts } from "../i18n/catalogues";
import { TextsProvider } from "../i18n/use-texts";
import { NextAttempt } from "./health-panel";

/** What is shown of an endpoint without a scheduled attempt. */
function nextAttemptOf(language: DashboardLanguage, condition: PresentedHealth["condition"], waiting: number): string {
  const health = { condition, waiting, next_attempt_at: null } as PresentedHealth;
  const messages = compiledTexts(language, ["webhooks"]);
  const given = { language, messages, children: createElement(NextAttempt, { health }) };
  return renderToStaticMarkup(createElement(TextsProvider, given));
}

it.each([
  ["en", "paused", 0, "nothing is sent"],
  ["en", "paused", 3, "until it is enabled"],
  ["en", "disabled", 3, "nothing is sent"],
  ["pt-BR", "paused", 0, "nada é enviado"],
  ["pt-BR", "paused", 3, "até ser ativado"],
  ["es", "paused", 0, "no se envía nada"],
  ["es", "disabled", 0, "no se envía nada"],
] as const)("in %s, a %s endpoint for which %i deliveries wait", (language, condition, waiting, words) =>
  expect(nextAttemptOf(language, condition, waiting)).toBe(words),
);
