// Every page and dialog of the dashboard against WCAG 2.2 AA, in both themes, wide and narrow.
import { expect, test } from "../support/fixtures";
import { createMerchant } from "../support/merchant";
import { expectAccessible, expectAccessibleOnPhone } from "./accessibility";
import { createMember, signInTo, untilLive } from "./members";
import { fillPages } from "./pages";

const WIDE = { width: 1440, height: 900 };
/** Few enough pages per test for a slow machine to check in time. */
const PAGES_PER_TEST = 3;
const PARTS = [0, 1, 2, 3, 4, 5, 6, 7, 8];

for (const part of PARTS) {
  test(`every page passes, light and dark, wide and on a phone: part ${part + 1} of ${PARTS.length}`, async ({
    page,
    service,
    apiFor,
  }) => {
    test.setTimeout(300_000);
    const merchant = await createMerchant(service);
    const pages = await fillPages(apiFor(merchant.keys.test));
    expect(pages.length).toBeLessThanOrEqual(PAGES_PER_TEST * PARTS.length);
    await signInTo(page, await createMember(service, merchant, "owner"), "/test/payouts");
    for (const { path } of pages.slice(part * PAGES_PER_TEST, (part + 1) * PAGES_PER_TEST)) {
      await page.setViewportSize(WIDE);
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectAccessible(page);
      await expectAccessibleOnPhone(page);
    }
  });
}

test("every dialog passes, and the menu, the palette, the drawer and the folded filters", async ({
  page,
  service,
  apiFor,
}) => {
  test.setTimeout(240_000);
  const merchant = await createMerchant(service);
  await fillPages(apiFor(merchant.keys.test));
  const member = await createMember(service, merchant);
  await signInTo(page, member, "/test/payouts?queue=mine");
  const dialog = page.getByRole("dialog");
  const passes = async (open: () => Promise<void>) => {
    await open();
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
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
  await expectAccessible(page);
  await dialog.getByLabel("Name").fill("Mine to decide");
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(dialog).toHaveCount(0);
  await passes(async () => {
    await views.click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Delete Mine to decide" }).click();
  });
  await page.getByRole("checkbox").first().check();
  await expectAccessible(page);
  await passes(() => page.getByRole("button", { name: "Approve 1 selected" }).click());
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("button", { name: member.email }).click();
  await page.getByRole("button", { name: "Dark" }).click();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await passes(() => page.getByRole("button", { name: "Menu" }).click());
});

test("every dialog of the other pages passes, in both themes", async ({ page, service, apiFor }) => {
  test.setTimeout(300_000);
  const merchant = await createMerchant(service);
  const pages = await fillPages(apiFor(merchant.keys.test));
  const pathOf = (name: string) => pages.find((one) => one.name === name)?.path ?? "";
  const { email } = await createMember(service, merchant, "finance");
  await signInTo(page, await createMember(service, merchant, "owner"), "/test/payouts");
  const dialog = page.getByRole("dialog");
  for (const [name, buttons] of [
    ["api-keys", ["Create key", /^Roll /, /^Revoke /]],
    ["members", ["Add member", `Manage ${email}`]],
    ["approval-policy", ["Propose a change"]],
    ["account", ["Set up…"]],
    ["exceptions", [/^(Settle|Resolve)…$/]],
    ["webhook-endpoints", ["Add endpoint"]],
    ["webhook-endpoint", ["Edit…", "Rotate secret…", "Replay…", "Delete…"]],
  ] as const) {
    await page.goto(pathOf(name));
    await untilLive(page);
    if (name === "exceptions") await page.locator("main summary").first().click();
    for (const button of buttons) {
      await page.getByRole("main").getByRole("button", { name: button }).first().click();
      await expect(dialog.getByRole("heading").first()).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
    }
  }
});
