// The dashboard in Portuguese and Spanish, beyond what pages show at first: what unfolds, dialogs, the search, messages,
// and the way in.
import { randomUUID } from "node:crypto";
import type { BrowserContextOptions, Locator, Page } from "@playwright/test";
import { createApi } from "../support/api";
import { createMerchant, type Merchant } from "../support/merchant";
import { command } from "../support/operator";
import { tier } from "../support/tier";
import { test as base, expect } from "./fixtures";
import {
  type English,
  expectNoEnglish,
  isEnglish,
  OTHER_LANGUAGES,
  onlyEnglish,
  type Words,
  wordsOf,
} from "./language-walk";
import { createMember, type Person, requestSession, untilLive } from "./members";
import { type FilledIds, fillPages, PAGES, type PageName } from "./pages";
import { createPayout } from "./payouts";

interface Filled {
  readonly merchant: Merchant;
  readonly ids: FilledIds;
  readonly owner: Person;
  readonly colleague: Person;
}

interface Reader {
  readonly texts: Words;
  readonly english: English;
}

const test = base.extend<object, { filled: Filled }>({
  filled: [
    async ({ service, validateAnswer }, use) => {
      const merchant = await createMerchant(service);
      const owner = await createMember(service, merchant, "owner");
      const colleague = await createMember(service, merchant, "finance");
      const ids = await fillPages(createApi(service.baseUrl, merchant.keys.test, validateAnswer));
      await use({ merchant, ids, owner, colleague });
    },
    { scope: "worker" },
  ],
});

/** What opens a question or a form, beside the buttons whose words end with "…". */
const DOORS: Partial<Record<PageName, (texts: Words) => readonly (string | RegExp)[]>> = {
  "payouts-queue": (texts) => [startOf(texts("payouts.approve")), startOf(texts("payouts.cancel"))],
  payouts: (texts) => [texts("payouts.newPayout")],
  recipients: (texts) => [texts("payouts.addRecipient")],
  topups: (texts) => [texts("topups.newTopup")],
  "api-keys": (texts) => [texts("keys.createKey"), startOf(texts("keys.roll")), startOf(texts("keys.revoke"))],
  members: (texts) => [texts("members.inviteMember")],
  "approval-policy": (texts) => [texts("policies.proposeAChange")],
  account: (texts) => [texts("account.setUp")],
  "webhook-endpoints": (texts) => [texts("webhooks.addEndpoint")],
};

const startOf = (words: string) => new RegExp(`^${words} `);

/** The pages whose folds and dialogs are walked. */
const WALKED = [
  "overview",
  "payouts-queue",
  "payouts",
  "payout",
  "recipients",
  "payments",
  "payment",
  "topups",
  "wallet",
  "wallet-period",
  "webhook-events",
  "webhook-event",
  "webhook-endpoints",
  "webhook-endpoint",
  "api-keys",
  "api-logs",
  "api-log",
  "members",
  "settings",
  "approval-policy",
  "exceptions",
  "reconciliation-none",
  "account",
  "notifications",
  "audit-log",
] as const satisfies readonly PageName[];

/** Opens one after the other of what the selector finds below the main part. Returns how many were opened. */
async function openEach(page: Page, name: string, selector: string, reader: Reader): Promise<number> {
  let opened = 0;
  const doors = page.locator("main").locator(selector);
  const count = await doors.count();
  for (let at = 0; at < count; at += 1) {
    const door = doors.nth(at);
    if (!(await door.isVisible()) || !(await door.isEnabled())) continue;
    await openOne(page, `${name}, ${selector} ${at}`, door, reader);
    opened += 1;
  }
  return opened;
}

async function openOne(page: Page, where: string, door: Locator, reader: Reader): Promise<void> {
  await door.click();
  const dialog = page.getByRole("dialog");
  const isSummary = (await door.evaluate(({ tagName }) => tagName)) === "SUMMARY";
  const isFold = isSummary || (await door.getAttribute("aria-expanded")) !== null;
  const menu = isFold ? await door.getAttribute("aria-controls") : null;
  // What a menu shows may load first.
  if (menu !== null) await expect(page.locator(`[id="${menu}"]`)).not.toBeEmpty();
  if (!isFold) await expect(dialog.getByRole("heading").first()).toBeVisible();
  await expectNoEnglish(page, reader.english, where);
  // An open menu would cover the next door; other folds stay.
  if (menu !== null || !isFold) await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  if (menu !== null) await expect(door).toHaveAttribute("aria-expanded", "false");
}

async function signedIn(page: Page, person: Person): Promise<Page> {
  expect((await requestSession(page.request, person)).ok()).toBe(true);
  return page;
}

test("a sentence is recognized as English, a UUID with the letters of an English word twice is not", () => {
  const english = onlyEnglish("es");
  expect(isEnglish(english, "It was not your order.")).toBe(true);
  expect(isEnglish(english, "order-5f528be0-051f-4eb5-8bea-65647b99be15")).toBe(false);
});

/** English that no catalogue has is shown in either language. */
const LANGUAGES = tier === "deep" ? OTHER_LANGUAGES : OTHER_LANGUAGES.slice(0, 1);

for (const language of LANGUAGES) {
  const reader: Reader = { texts: wordsOf(language), english: onlyEnglish(language) };
  const { texts, english } = reader;
  const settings: BrowserContextOptions = { locale: language };

  test.describe(`to a reader of ${language}`, () => {
    test.use(settings);

    test("no dialog, menu or fold of a page shows English", async ({ page, filled }) => {
      test.setTimeout(480_000);
      let opened = 0;
      await signedIn(page, filled.owner);
      for (const name of WALKED) {
        await page.goto(PAGES[name](filled.ids));
        await untilLive(page);
        for (const selector of ["summary", "[aria-expanded]"]) opened += await openEach(page, name, selector, reader);
        await page.goto(PAGES[name](filled.ids));
        await untilLive(page);
        opened += await openEach(page, name, 'button:text-matches("…$")', reader);
        for (const words of DOORS[name]?.(texts) ?? [])
          await openOne(
            page,
            `${name}, ${words}`,
            page.getByRole("main").getByRole("button", { name: words }).first(),
            reader,
          );
      }
      // As many as there are at least: the walk must not pass because it finds no door.
      expect(opened).toBeGreaterThan(40);
    });

    test("nor do the search, the shortcuts, the member's menu and the drawer", async ({ page, filled }) => {
      await signedIn(page, filled.owner);
      await page.goto(PAGES.payouts());
      await untilLive(page);
      const dialog = page.getByRole("dialog");
      await page.keyboard.press("Control+k");
      await expect(dialog).toBeVisible();
      await expectNoEnglish(page, english, "search");
      await page.getByRole("combobox").fill("Padaria");
      await expect(page.getByRole("option").first()).toBeVisible();
      await expectNoEnglish(page, english, "search with results");
      await page.getByRole("combobox").fill("zzzzzz");
      await expect(dialog.getByText(texts("shell.nothingMatches"))).toBeVisible();
      await expectNoEnglish(page, english, "search without results");
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
      await page.keyboard.press("?");
      await expect(dialog).toBeVisible();
      await expectNoEnglish(page, english, "shortcuts");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: filled.owner.email }).click();
      await expect(page.getByLabel(texts("shell.language"))).toBeVisible();
      await expectNoEnglish(page, english, "menu");
      await page.keyboard.press("Escape");
      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByRole("button", { name: texts("shell.menu") }).click();
      await expect(dialog).toBeVisible();
      await expectNoEnglish(page, english, "drawer");
    });

    test("nor do the questions about a member, the proof of an act, a refusal, and the link of an invitation", async ({
      page,
      filled,
    }) => {
      await signedIn(page, filled.owner);
      await page.goto(PAGES.members());
      await untilLive(page);
      const dialog = page.getByRole("dialog");
      const row = page.getByRole("row", { name: filled.colleague.email });
      await row.getByRole("button").click();
      await expect(dialog.getByRole("heading").first()).toBeVisible();
      await expectNoEnglish(page, english, "manage");
      for (const key of ["members.openEndSessions", "members.openResetPassword", "members.openDisable"] as const) {
        await dialog.getByRole("button", { name: texts(key) }).click();
        await expect(dialog.getByRole("button", { name: texts("common.cancel") })).toBeVisible();
        await expectNoEnglish(page, english, key);
        await dialog.getByRole("button", { name: texts("common.cancel") }).click();
      }
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);

      await page.getByRole("button", { name: texts("members.inviteMember") }).click();
      await dialog.getByLabel(texts("members.email")).fill(filled.colleague.email);
      await dialog.getByLabel(new RegExp(`^${texts("common.roleFinance")}`)).check();
      await dialog.getByRole("button", { name: texts("members.inviteMember") }).click();
      const proof = page.getByRole("dialog", { name: texts("common.proofTitle") });
      await expect(proof).toBeVisible();
      await expectNoEnglish(page, english, "proof");
      await proof.getByLabel(texts("common.yourPassword")).fill("not the password of anybody");
      await proof.getByRole("button", { name: texts("common.confirm") }).click();
      // The question stays, and says why it asks again.
      await expect(proof.getByLabel(texts("common.yourPassword"))).toHaveValue("");
      await expectNoEnglish(page, english, "a wrong proof");
      await proof.getByLabel(texts("common.yourPassword")).fill(filled.owner.password);
      await proof.getByRole("button", { name: texts("common.confirm") }).click();
      await expect(proof).toHaveCount(0);
      await expect(dialog.getByRole("alert")).toBeVisible();
      await expectNoEnglish(page, english, "a member twice");
      await dialog.getByLabel(texts("members.email")).fill(`${randomUUID()}@staff.example`);
      await dialog.getByRole("button", { name: texts("members.inviteMember") }).click();
      await proof.getByLabel(texts("common.yourPassword")).fill(filled.owner.password);
      await proof.getByRole("button", { name: texts("common.confirm") }).click();
      await expect(dialog.getByText(/\/welcome#/)).toBeVisible();
      await expectNoEnglish(page, english, "the link");
    });

    test("nor does deciding on a payout, alone and in bulk", async ({ page, filled, service, validateAnswer }) => {
      const api = createApi(service.baseUrl, filled.merchant.keys.test, validateAnswer);
      await createPayout(api, `Um ${language}`, { amount: "111" });
      await createPayout(api, `Dois ${language}`, { amount: "222" });
      await signedIn(page, filled.owner);
      await page.goto(PAGES["payouts-queue"]());
      await untilLive(page);
      const dialog = page.getByRole("dialog");
      const sum = new Intl.NumberFormat(language === "es" ? "es-MX" : language, { minimumFractionDigits: 2 }).format(
        2.22,
      );
      await page
        .getByRole("button", { name: startOf(`${texts("payouts.approve")} ${sum}`) })
        .first()
        .click();
      await dialog.getByRole("button", { name: startOf(texts("payouts.approve")) }).click();
      const approved = texts("payouts.approvedToast", { sumAndRecipient: `${sum} BRL`, missing: "" });
      await expect(page.getByText(approved).first()).toBeVisible();
      await expectNoEnglish(page, english, "approved");
      await page.getByRole("checkbox").first().check();
      await expectNoEnglish(page, english, "selected");
      for (const act of ["payouts.approve", "payouts.cancel"] as const) {
        await page
          .getByRole("button", { name: new RegExp(`^${texts(act)} \\d+ \\p{L}+$`, "u") })
          .first()
          .click();
        await expect(dialog.getByRole("heading").first()).toBeVisible();
        await expectNoEnglish(page, english, `${act} in bulk`);
        await page.keyboard.press("Escape");
        await expect(dialog).toHaveCount(0);
      }
    });

    test("nor does the way in: signing in, its refusals, a one-time link", async ({ page, filled, service }) => {
      await page.goto("/sign-in");
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expectNoEnglish(page, english, "sign-in");
      const enter = page.getByRole("button", { name: texts("signIn.signIn"), exact: true });
      await expect(enter).toBeEnabled();
      await page.getByLabel(texts("signIn.email")).fill(filled.colleague.email);
      await page.getByLabel(texts("signIn.password")).fill("not the password of anybody");
      await enter.click();
      await expect(page.getByRole("alert").filter({ hasText: /\S/ }).first()).toHaveText(texts("signIn.notSignedIn"));
      await expectNoEnglish(page, english, "refused");

      await page.goto("/welcome#nothing");
      await expect(page.getByText(texts("signIn.linkInvalid"))).toBeVisible();
      await expectNoEnglish(page, english, "a link that does not work");
      const email = `${randomUUID()}@staff.example`;
      const words = ["--merchant", filled.merchant.id, "--email", email, "--roles", "finance"];
      const { link } = await command<{ link: string }>(service, "members", "create", ...words);
      await page.goto("/sign-in");
      await page.goto(`/welcome${new URL(link).hash}`);
      await expect(page.getByLabel(texts("signIn.passwordAgain"))).toBeVisible();
      await expectNoEnglish(page, english, "a link");
      const choose = async (password: string, again = password) => {
        await page.getByLabel(texts("signIn.password"), { exact: true }).fill(password);
        await page.getByLabel(texts("signIn.passwordAgain")).fill(again);
        await page.getByRole("button", { name: texts("signIn.setPassword") }).click();
      };
      await choose(randomUUID(), randomUUID());
      await expect(page.getByText(texts("signIn.theTwoPasswordsDiffer"))).toBeVisible();
      await choose("passwordpassword");
      await expect(page.getByText(texts("signIn.theTwoPasswordsDiffer"))).toHaveCount(0);
      await expect(page.getByRole("alert").filter({ hasText: /\S/ }).first()).toBeVisible();
      await expectNoEnglish(page, english, "a password that is guessed soon");
      await choose(randomUUID());
      await expect(page.getByRole("status").filter({ hasText: texts("signIn.signIn") })).toBeVisible();
      await expectNoEnglish(page, english, "a password is set");
    });
  });
}
