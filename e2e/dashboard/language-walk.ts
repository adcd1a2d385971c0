// Finds English on pages that another language was asked for.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures";

const CATALOGUES = "components/i18n/dashboard";

export const OTHER_LANGUAGES = ["pt-BR", "es"] as const;

type Language = "en" | (typeof OTHER_LANGUAGES)[number];

/** "payouts.approve" → its text, of a language. */
function catalogueOf(language: Language): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const file of readdirSync(join(CATALOGUES, language))) {
    const area = file.replace(".ts", "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const source = readFileSync(join(CATALOGUES, language, file), "utf8");
    for (const [, key = "", text = ""] of source.matchAll(/^ {2}(\w+):\s+("(?:[^"\\]|\\.)*"),$/gm))
      texts.set(`${area}.${key}`, JSON.parse(text) as string);
  }
  return texts;
}

/** The texts of a language by their keys, with plain values filled in. Throws for an unknown key. */
export type Words = (key: string, values?: Readonly<Record<string, string>>) => string;

export function wordsOf(language: Language): Words {
  const catalogue = catalogueOf(language);
  return (key, values = {}) => {
    const text = catalogue.get(key);
    if (text === undefined) throw new Error(`there is no text ${key}`);
    return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
  };
}

/** The texts of a language without choices and elements. */
function textsOf(language: Language): readonly string[] {
  return [...catalogueOf(language).values()]
    .map((text) => text.trim())
    .filter((text) => !/[<]|, (?:plural|select)/.test(text));
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A text with values, as a pattern; null if its own words are too few to tell a language by. */
function patternOf(text: string): RegExp | null {
  const words = text.split(/\{\w+\}/);
  const isTelling = words.some((part) => /\p{L}{3,}\s+\p{L}{2,}|\p{L}{6,}/u.test(part));
  return isTelling ? new RegExp(`^${words.map(escaped).join(".+")}$`, "su") : null;
}

/** What a text of a page is compared with. */
export interface English {
  readonly texts: ReadonlySet<string>;
  readonly patterns: readonly RegExp[];
}

/** English texts that the other language does not use for anything. */
export function onlyEnglish(language: Language): English {
  const used = new Set(textsOf(language));
  const own = [...new Set(textsOf("en"))].filter((text) => /[a-z]{3}/.test(text) && !used.has(text));
  const patterns = own.filter((text) => text.includes("{")).map(patternOf);
  return {
    texts: new Set(own.filter((text) => !text.includes("{"))),
    patterns: patterns.filter((pattern) => pattern !== null),
  };
}

/** English words; a sentence has at least two. Digits do not end a word, so the "be" in a UUID does not count. */
const WORDS =
  /(?<![\p{L}\p{N}])(?:the|of|and|is|are|not|your|with|this|was|has|been|it|its|you|by|must|be|from|that|which)(?![\p{L}\p{N}])/giu;

/** Written by people and programs of the specs, or a code, which is the same in every language. */
const WRITTEN = /^(?:Duplicate of an earlier payout|Shop, orders service|cancelled)$/;

export function isEnglish({ texts, patterns }: English, text: string): boolean {
  if (WRITTEN.test(text)) return false;
  return texts.has(text) || (text.match(WORDS)?.length ?? 0) >= 2 || patterns.some((pattern) => pattern.test(text));
}

/** Every text that the page shows or names its elements by, and its title, but for code. */
async function shownTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = [document.title.replace(/ · Sluice$/, "")];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (!parent || parent.closest("pre, code, script, style, template, [data-verbatim]")) continue;
      texts.push(walker.currentNode.textContent ?? "");
    }
    for (const element of document.body.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
      for (const name of ["aria-label", "title", "placeholder", "alt"]) texts.push(element.getAttribute(name) ?? "");
    return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ""))];
  });
}

/** Fails, and goes on, if the page shows English. `where` names the state of the page. */
export async function expectNoEnglish(page: Page, english: English, where: string): Promise<void> {
  const found = (await shownTexts(page)).filter((text) => isEnglish(english, text));
  expect.soft(found, where).toEqual([]);
}
