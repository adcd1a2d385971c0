// The dashboard's catalogues: every text is used, and says the same in every language.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import compile from "icu-minify/compile";
import { describe, expect, it } from "vitest";
import { DASHBOARD_LANGUAGES } from "@/server/domain/dashboard-languages";
import { compiledTexts, DASHBOARD_CATALOGUES, dashboardTexts } from "./catalogues";
import type { Area } from "./dashboard-texts";

const [, ...others] = DASHBOARD_LANGUAGES;
const AREAS = Object.keys(DASHBOARD_CATALOGUES.en) as Area[];

/** "payouts.approve" → its text. */
function textsOf(language: (typeof DASHBOARD_LANGUAGES)[number]): Map<string, string> {
  const areas = Object.entries(DASHBOARD_CATALOGUES[language]);
  return new Map(
    areas.flatMap(([area, texts]) => Object.entries(texts).map(([key, text]) => [`${area}.${key}`, text] as const)),
  );
}

const english = textsOf("en");

/** What a message needs to be filled in: "count plural", "noun select payouts", "strong tag", each once. */
function needsOf(text: string): string[] {
  const needs = new Set<string>();
  const visit = (node: unknown): void => {
    if (!Array.isArray(node)) return;
    const [name, type, rest] = node as readonly unknown[];
    if (typeof name !== "string") return node.forEach(visit);
    if (type === undefined) needs.add(`${name} value`);
    else if (typeof type === "number" && type > 0 && type < 4) {
      const branches = rest as Record<string, unknown>;
      needs.add(`${name} ${type === 1 ? `select ${Object.keys(branches).sort().join(" ")}` : "plural"}`);
      for (const branch of Object.values(branches)) if (Array.isArray(branch)) branch.forEach(visit);
    } else {
      needs.add(`${name} tag`);
      node.slice(1).forEach(visit);
    }
  };
  const compiled = compile(text);
  if (Array.isArray(compiled)) compiled.forEach(visit);
  return [...needs].sort();
}

/** The plural forms that a message has, by its argument. */
function formsOf(text: string): string[][] {
  return [...text.matchAll(/\{\w+, plural,((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}/g)].map(
    ([, body = ""]) =>
      [...body.replaceAll(/\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, "{}").matchAll(/(=?\w+) ?\{\}/g)].map(
        ([, form = ""]) => form,
      ),
  );
}

const SOURCES = ["app", "components"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.startsWith("i18n/dashboard/"))
    .map((file) => readFileSync(join(folder, file), "utf8")),
);

it("every text is used", () => {
  const named = new Set(
    SOURCES.flatMap((source) => [...source.matchAll(/["`](\w+\.\w+)["`]/g)].map(([, key = ""]) => key)),
  );
  const begun = SOURCES.flatMap((source) => [...source.matchAll(/`(\w+\.\w*)\$\{/g)].map(([, start = ""]) => start));
  const unused = [...english.keys()].filter((key) => !named.has(key) && !begun.some((start) => key.startsWith(start)));
  expect(unused).toEqual([]);
});

it.each([...english])("%s has a form for one and for many", (_, text) => {
  for (const forms of formsOf(text)) expect(forms).toEqual(expect.arrayContaining(["one", "other"]));
  expect(() => compile(text)).not.toThrow();
});

it("a key without a text throws, whatever gave the messages", () => {
  const texts = dashboardTexts("en") as unknown as (key: string) => string;
  expect(() => texts("payouts.noSuchText")).toThrow("no text payouts.noSuchText in en");
});

it("a name cannot add markup or values", () => {
  const texts = dashboardTexts("en");
  expect(texts("lists.deleteViewTitle", { name: "{name} <b>O'Neill</b> '{'" })).toBe(
    "Delete “{name} <b>O'Neill</b> '{'”?",
  );
});

it("a page gets the areas that it names, and no others", () => {
  expect(Object.keys(compiledTexts("en", ["payouts", "lists"]))).toEqual(["payouts", "lists"]);
});

/** Everything below a value that is not a plain object, which alone a server component can pass on. */
function notPlain(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return [...(isPlain ? [] : [value]), ...Object.values(value).flatMap(notPlain)];
}

it.each(DASHBOARD_LANGUAGES)("browsers can be sent every message in %s", (language) =>
  expect(notPlain(compiledTexts(language, AREAS))).toEqual([]),
);

describe.each(others)("%s", (language) => {
  const translated = textsOf(language);

  it("has every text, and needs the same values and tags", () => {
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [key, text] of translated) {
      expect(needsOf(text), key).toEqual(needsOf(english.get(key) ?? ""));
      for (const forms of formsOf(text)) expect(forms, key).toEqual(expect.arrayContaining(["one", "other"]));
    }
  });

  it("begins and ends with the same spaces and punctuation that join sentences", () => {
    for (const [key, text] of translated) {
      const edges = (one: string) => [/^[\s,;.]*/.exec(one)?.[0], /\s*$/.exec(one)?.[0]];
      expect(edges(text), key).toEqual(edges(english.get(key) ?? ""));
    }
  });
});
