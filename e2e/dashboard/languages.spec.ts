// The dashboard in Portuguese and Spanish: no page shows an English text of the catalogues, nor an English sentence.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { createApi } from "../support/api";
import { createMerchant, type Merchant } from "../support/merchant";
import { test as base, expect } from "./fixtures";
import { createMember, type Person, signInTo } from "./members";
import { type FilledIds, fillPages, PAGE_NAMES, PAGES } from "./pages";

const CATALOGUES = "components/i18n/dashboard";

/** Key → text of a language's catalogues, as far as a text stands on one line and has no values. */
function textsOf(language: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of readdirSync(join(CATALOGUES, language))) {
    const source = readFileSync(join(CATALOGUES, language, file), "utf8");
    for (const [, key = "", text = ""] of source.matchAll(/^ {2}(\w+):\s+"((?:[^"\\]|\\.)*)",$/gm))
      if (!/[{<]/.test(text)) texts.set(`${file} ${key}`, text.trim());
  }
  return texts;
}

/** English texts that another language does not use for anything. */
function onlyEnglish(language: string): Set<string> {
  const translated = textsOf(language);
  const used = new Set(translated.values());
  return new Set([...textsOf("en").values()].filter((text) => /[a-z]{3}/.test(text) && !used.has(text)));
}

/** Words that only English has, of which a sentence has at least two. */
const ENGLISH = /(?<!\p{L})(?:the|of|and|is|are|not|your|with|this|was|has|been|it|its|you|by)(?!\p{L})/giu;

/** Written by people and programs of the specs, or a code, which is the same in every language. */
const WRITTEN = /^(?:Duplicate of an earlier payout|Shop, orders service|cancelled)$/;

/** Once other languages are offered; until then everybody reads English. */
const isOffered = /IS_DASHBOARD_TRANSLATED: boolean = true/.test(
  readFileSync("server/domain/dashboard-languages.ts", "utf8"),
);

/** Every text that the page shows or names its elements by, but for code. */
async function shownTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = [];
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

interface Filled {
  readonly merchant: Merchant;
  readonly ids: FilledIds;
  readonly owner: Person;
}

const test = base.extend<object, { filled: Filled }>({
  filled: [
    async ({ service, validateAnswer }, use) => {
      const merchant = await createMerchant(service);
      const owner = await createMember(service, merchant, "owner");
      const ids = await fillPages(createApi(service.baseUrl, merchant.keys.test, validateAnswer));
      await use({ merchant, ids, owner });
    },
    { scope: "worker" },
  ],
});

for (const language of ["pt-BR", "es"]) {
  test(`no page shows English to a reader of ${language}`, async ({ page: first, browser, service, filled }) => {
    test.skip(!isOffered, "other languages than English are not offered yet");
    test.slow();
    const english = onlyEnglish(language);
    expect(english.size).toBeGreaterThan(500);
    await signInTo(first, filled.owner, "/test");
    const storageState = await first.context().storageState();
    const context = await browser.newContext({ baseURL: service.baseUrl, locale: language, storageState });
    const page = await context.newPage();
    for (const name of PAGE_NAMES) {
      await page.goto(PAGES[name](filled.ids));
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForLoadState("load");
      const found = (await shownTexts(page)).filter(
        (text) => !WRITTEN.test(text) && (english.has(text) || (text.match(ENGLISH)?.length ?? 0) >= 2),
      );
      expect.soft(found, name).toEqual([]);
    }
    await context.close();
  });
}
