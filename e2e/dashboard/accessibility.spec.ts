// Every page and dialog of the dashboard against WCAG 2.2 AA: one setup of theme and width each, all in a deep run.
import { createApi } from "../support/api";
import { createMerchant, type Merchant } from "../support/merchant";
import { expectAccessible } from "./accessibility";
import { test as base, expect } from "./fixtures";
import { createMember, type Person, signInTo } from "./members";
import { type FilledIds, fillPages, PAGE_NAMES, PAGES, type PageName } from "./pages";
import { DIALOG_WIDTHS_PX, expectFits } from "./widths";

interface Filled {
  readonly merchant: Merchant;
  readonly ids: FilledIds;
  readonly owner: Person;
  readonly approver: Person;
  readonly colleague: Person;
}

/** `filled` is a merchant of the worker, with content on every page. No test changes what a page shows. */
const test = base.extend<object, { filled: Filled }>({
  filled: [
    async ({ service, validateAnswer }, use) => {
      const merchant = await createMerchant(service);
      const owner = await createMember(service, merchant, "owner");
      const approver = await createMember(service, merchant, "approver,finance");
      const colleague = await createMember(service, merchant, "finance");
      const ids = await fillPages(createApi(service.baseUrl, merchant.keys.test, validateAnswer));
      await use({ merchant, ids, owner, approver, colleague });
    },
    { scope: "worker" },
  ],
});

for (const [place, name] of PAGE_NAMES.entries()) {
  test(`the page "${name}" passes, and fits every window`, async ({ page, filled }) => {
    await signInTo(page, filled.owner, PAGES[name](filled.ids));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectFits(page);
    await expectAccessible(page, place);
  });
}

test("every dialog of the payouts passes, and the menu, the search, the drawer and the folded filters", async ({
  page,
  filled,
}) => {
  await signInTo(page, filled.approver, PAGES["payouts-queue"]());
  const dialog = page.getByRole("dialog");
  let place = 0;
  const check = async (width?: "wide" | "phone") => {
    await expectAccessible(page, place, width);
    place += 1;
  };
  const passes = async (open: () => Promise<void>, width?: "wide" | "phone") => {
    await open();
    await expect(dialog).toBeVisible();
    await expect(dialog).toHaveCSS("text-align", "start");
    await expectFits(page, DIALOG_WIDTHS_PX);
    await check(width);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  };
  await passes(() => page.getByRole("button", { name: /^Approve 25/ }).click());
  await passes(() => page.getByRole("button", { name: /^Cancel 25/ }).click());
  await passes(() => page.keyboard.press("Control+k"));
  await passes(() => page.keyboard.press("?"));
  const views = page.getByRole("button", { name: /^View(s$|: )/ });
  await passes(async () => {
    await views.click();
    await page.getByRole("button", { name: "Save view" }).click();
  });
  await views.click();
  await page.getByRole("button", { name: "Save view" }).click();
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await check();
  await dialog.getByLabel("Name").fill("Mine to decide");
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(dialog).toHaveCount(0);
  await passes(async () => {
    await views.click();
    // On a phone the open menu covers parts of the filters, which axe measures as targets that are too small.
    await check("wide");
    await page.getByRole("button", { name: "Delete Mine to decide" }).click();
  });
  await page.getByRole("checkbox").first().check();
  await check();
  await passes(() => page.getByRole("button", { name: "Approve 1 selected" }).click());
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("button", { name: filled.approver.email }).click();
  await page.getByRole("button", { name: "Dark" }).click();
  await check("wide");
  await page.setViewportSize({ width: 360, height: 740 });
  await passes(() => page.getByRole("button", { name: "Menu" }).click(), "phone");
});

const DIALOGS: readonly (readonly [page: PageName, buttons: (filled: Filled) => readonly (string | RegExp)[]])[] = [
  ["api-keys", () => ["Create key", /^Roll /, /^Revoke /]],
  ["members", ({ colleague }) => ["Invite member", `Manage ${colleague.email}`]],
  ["approval-policy", () => ["Propose a change", "Set limits…"]],
  ["account", () => ["Set up"]],
  ["exceptions", () => [/^(Settle|Resolve)…$/]],
  ["webhook-endpoints", () => ["Add endpoint"]],
  ["webhook-endpoint", () => ["Edit…", "Rotate secret…", "Replay…", "Delete…"]],
];

for (const [first, [name, buttonsOf]] of DIALOGS.entries()) {
  test(`every dialog of the page "${name}" passes, and fits every window`, async ({ page, filled }) => {
    await signInTo(page, filled.owner, PAGES[name](filled.ids));
    const dialog = page.getByRole("dialog");
    if (name === "exceptions") await page.locator("main summary").first().click();
    for (const [index, button] of buttonsOf(filled).entries()) {
      await page.getByRole("main").getByRole("button", { name: button }).first().click();
      await expect(dialog.getByRole("heading").first()).toBeVisible();
      await expect(dialog).toHaveCSS("text-align", "start");
      await expectFits(page, DIALOG_WIDTHS_PX);
      await expectAccessible(page, first + index);
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
    }
  });
}
