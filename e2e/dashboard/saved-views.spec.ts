// Saved views: stored for one member across sign-ins, opened, renamed, deleted, and named in place.
import type { Page } from "@playwright/test";
import { paymentBody } from "../rest/bodies";
import { expect, test } from "./fixtures";
import { signInTo, untilLive } from "./members";
import { createPayout } from "./payouts";

/** The button of the menu without a view, and with one. */
const menu = (page: Page) => page.getByRole("button", { name: "Views", exact: true });
const shown = (page: Page, name: string) => page.getByRole("button", { name: `View: ${name}`, exact: true });
const viewLink = (page: Page, name: string) =>
  page.getByRole("list", { name: "Your views" }).getByRole("link", { name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog");

async function saveAs(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^View(s$|: )/ }).click();
  await page.getByRole("button", { name: "Save view" }).click();
  await dialog(page).getByLabel("Name").fill(name);
  await dialog(page).getByRole("button", { name: "Save view" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(shown(page, name)).toBeVisible();
}

test("a view stores filters, order and columns under a name: after a reload, after a new sign-in, until it is deleted", async ({
  page,
  ownApi,
  otherBrowser,
  openAs,
}) => {
  for (const vendor of ["Early Vendor", "Late Vendor"]) {
    const { id } = await createPayout(ownApi, vendor);
    await ownApi.post(`/payout_intents/${id}/cancel`, {});
  }
  await createPayout(ownApi, "Waiting Vendor");
  const person = await openAs("finance", "/test/payouts");
  await menu(page).click();
  await expect(page.getByText("No views yet")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Cancelled/ }).click();
  await page.getByRole("columnheader", { name: "Created" }).getByRole("button").click();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Country" }).uncheck();
  await page.keyboard.press("Escape");
  const rows = page.getByRole("row");
  await expect(rows).toHaveCount(3);
  await saveAs(page, "Dropped, the oldest first");
  const address = new URL(page.url());
  expect(Object.fromEntries(address.searchParams)).toEqual({
    status: "cancelled",
    sort: "created_at",
    columns: "status,merchant_reference,created_at",
  });

  await page.reload();
  await untilLive(page);
  await expect(shown(page, "Dropped, the oldest first")).toBeVisible();
  await page.getByRole("button", { name: /^All / }).click();
  await expect(menu(page)).toBeVisible();

  const other = await otherBrowser(person, "/test/payouts");
  await menu(other).click();
  await viewLink(other, "Dropped, the oldest first").click();
  await expect(other).toHaveURL(/status=cancelled/);
  await expect(other.getByRole("row")).toHaveCount(3);
  await expect(other.getByRole("row").nth(1)).toContainText("Early Vendor");
  await expect(other.getByRole("columnheader", { name: "Country" })).toHaveCount(0);
  await shown(other, "Dropped, the oldest first").click();
  await expect(viewLink(other, "Dropped, the oldest first")).toHaveAttribute("aria-current", "page");
  await other.getByRole("button", { name: "Rename Dropped, the oldest first" }).click();
  await expect(dialog(other).getByLabel("Name")).toHaveValue("Dropped, the oldest first");
  await dialog(other).getByLabel("Name").fill("Dropped");
  await dialog(other).getByRole("button", { name: "Rename" }).click();
  await expect(shown(other, "Dropped")).toBeFocused();
  await expect(other.getByText("Renamed to “Dropped”.")).toBeVisible();

  await page.reload();
  await untilLive(page);
  await menu(page).click();
  await viewLink(page, "Dropped").click();
  await expect(rows).toHaveCount(3);
  await shown(page, "Dropped").click();
  await page.getByRole("button", { name: "Delete Dropped" }).click();
  await dialog(page).getByRole("button", { name: "Delete view" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(menu(page)).toBeFocused();
  await expect(rows).toHaveCount(3);
  await page.reload();
  await untilLive(page);
  await menu(page).click();
  await expect(page.getByRole("button", { name: "Save view" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Your views" })).toHaveCount(0);
});

test("a view belongs to one member, one list and one environment", async ({
  page,
  ownApi,
  newMember,
  openAs,
  otherBrowser,
}) => {
  await ownApi.post("/payment_intents", paymentBody());
  await openAs("finance", "/test/payments?country=BR");
  await saveAs(page, "Brazil");
  for (const path of ["/test/payouts", "/test/topups", "/live/payments"]) {
    await page.goto(path);
    await untilLive(page);
    await menu(page).click();
    await expect(page.getByText("No views yet")).toBeVisible();
  }
  const colleague = await newMember("owner");
  const theirs = await otherBrowser(colleague, "/test/payments?country=BR");
  await menu(theirs).click();
  await expect(theirs.getByRole("button", { name: "Save view" })).toBeVisible();
  await expect(theirs.getByRole("list", { name: "Your views" })).toHaveCount(0);
  await theirs.keyboard.press("Escape");
  await saveAs(theirs, "Brazil");
});

test("by keyboard alone: a missing or taken name is rejected in place, and the typed text stays", async ({
  page,
  openAs,
}) => {
  await openAs("developer", "/test/topups?country=BR");
  await saveAs(page, "Brazil");
  await page.goto("/test/topups?country=MX");
  await untilLive(page);
  await menu(page).focus();
  await page.keyboard.press("Enter");
  await expect(viewLink(page, "Brazil")).toBeVisible();
  for (const [press, name] of [
    ["Tab", "Brazil"],
    ["Tab", "Rename Brazil"],
    ["Tab", "Delete Brazil"],
    ["Tab", "Save view"],
  ] as const) {
    await page.keyboard.press(press);
    await expect(page.locator(":focus")).toHaveText(name);
  }
  await page.keyboard.press("Enter");
  const name = dialog(page).getByLabel("Name");
  await expect(name).toBeFocused();
  const complaint = dialog(page).getByRole("alert");

  await page.keyboard.type("  ");
  await page.keyboard.press("Enter");
  await expect(complaint).toHaveText("Give it a name.");
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("BRAZIL");
  await page.keyboard.press("Enter");
  await expect(complaint).toHaveText("The name is the name of another of your views of this list.");
  await expect(name).toHaveValue("BRAZIL");
  await expect(name).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type(" or Mexico");
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toHaveCount(0);
  await expect(shown(page, "BRAZIL or Mexico")).toBeFocused();

  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(viewLink(page, "Brazil")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/test/topups?country=BR");
  await expect(shown(page, "Brazil")).toBeFocused();
});

test("a filter that the list rejects is not saved: the error is shown in the dialog", async ({ page, openAs }) => {
  await openAs("finance", "/test/payouts");
  await page.goto("/test/payouts?currency=brl");
  await untilLive(page);
  await menu(page).click();
  await page.getByRole("button", { name: "Save view" }).click();
  await dialog(page).getByLabel("Name").fill("Wrong");
  await dialog(page).getByRole("button", { name: "Save view" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("currency must be");
  await expect(dialog(page).getByLabel("Name")).toHaveValue("Wrong");
});

test("on a phone a view is saved, opened and distinguished from the others", async ({ page, ownApi, newMember }) => {
  const approver = await newMember("approver");
  await createPayout(ownApi, "Padaria Estrela Ltda");
  await signInTo(page, approver, "/test/payouts?queue=mine");
  await page.setViewportSize({ width: 360, height: 740 });
  await saveAs(page, "Everything that waits for me, whatever it is for");
  await page.getByRole("button", { name: "All payouts" }).click();
  await expect(page).toHaveURL("/test/payouts");
  await menu(page).click();
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await sideways()).toBe(0);
  await viewLink(page, "Everything that waits for me, whatever it is for").click();
  await expect(page).toHaveURL("/test/payouts?queue=mine");
  await expect(page.getByRole("link", { name: "25.04 BRL" })).toBeVisible();
  expect(await sideways()).toBe(0);
});
