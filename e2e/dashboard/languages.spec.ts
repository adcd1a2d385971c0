// The dashboard in Portuguese and Spanish: no page shows an English text of the catalogues, nor an English sentence.
import { createApi } from "../support/api";
import { createMerchant, type Merchant } from "../support/merchant";
import { test as base, expect } from "./fixtures";
import { expectNoEnglish, OTHER_LANGUAGES, onlyEnglish } from "./language-walk";
import { createMember, type Person, requestSession, signInTo, untilLive } from "./members";
import { type FilledIds, fillPages, PAGE_NAMES, PAGES } from "./pages";

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

for (const language of OTHER_LANGUAGES) {
  test(`no page shows English to a reader of ${language}`, async ({ page: first, browser, service, filled }) => {
    test.slow();
    const english = onlyEnglish(language);
    expect(english.texts.size).toBeGreaterThan(800);
    expect(english.patterns.length).toBeGreaterThan(100);
    await signInTo(first, filled.owner, "/test");
    const storageState = await first.context().storageState();
    const context = await browser.newContext({ baseURL: service.baseUrl, locale: language, storageState });
    const page = await context.newPage();
    for (const name of PAGE_NAMES) {
      await page.goto(PAGES[name](filled.ids));
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForLoadState("load");
      await expectNoEnglish(page, english, name);
    }
    await context.close();
  });
}

test("a member chooses a language in the menu or on the account page, and finds it again wherever they sign in", async ({
  page,
  newMember,
  browser,
  service,
}) => {
  const member = await newMember("finance");
  await signInTo(page, member, "/test/payments");
  await page.getByRole("button", { name: member.email }).click();
  await page.getByLabel("Language").selectOption("es");
  await expect(page.getByRole("heading", { level: 1, name: "Pagos" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Cerrar sesión", exact: true })).toBeVisible();
  // A screen reader pronounces the texts in the document's language.
  await expect(page.locator("html")).toHaveAttribute("lang", "es");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "es");

  await page.goto("/test/account");
  await untilLive(page);
  await page.getByRole("main").getByLabel("Idioma").selectOption("pt-BR");
  await expect(page.getByRole("heading", { level: 1, name: "Sua conta" })).toBeVisible();
  await page.getByRole("main").getByLabel("Idioma").selectOption("en");
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
  await page.getByRole("main").getByLabel("Language").selectOption("es");
  await expect(page.getByRole("heading", { level: 1, name: "Su cuenta" })).toBeVisible();

  // An English browser, in which the member has chosen nothing.
  const context = await browser.newContext({ baseURL: service.baseUrl, locale: "en-US" });
  const other = await context.newPage();
  expect((await requestSession(other.request, member)).ok()).toBe(true);
  await other.goto("/test/payments");
  await expect(other.locator("html")).toHaveAttribute("lang", "es");
  await context.close();
});
