// Amount ranges in the filters of a list: typed in major units, exact minor units in the address, also in the exported file.
import { readFileSync } from "node:fs";
import { paymentBody } from "../rest/bodies";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { untilLive } from "./members";

test("finance narrows payments to a range of amounts by the keyboard, and exports that view", async ({
  page,
  ownApi,
  openAs,
}) => {
  for (const amount of ["999", "1000", "1050", "20000", "20001"])
    await ownApi.post("/payment_intents", paymentBody({ amount }));
  await openAs("finance", "/test/payments");
  await expect(page.getByRole("row")).toHaveCount(6);

  await page.getByRole("button", { name: "Filters" }).click();
  const [from, to] = [page.getByLabel("Minimum amount"), page.getByLabel("Maximum amount")];
  await expect(from).toBeDisabled();
  await page.getByLabel("Currency").selectOption("BRL");
  await from.fill("10,5");
  await page.keyboard.press("Enter");
  const complaint = page.getByRole("alert").filter({ hasText: /./ });
  await expect(complaint).toContainText("Enter amounts such as 1250.50");
  await expect(from).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page, 0);
  await from.fill("200");
  await to.fill("10.00");
  await page.keyboard.press("Enter");
  await expect(complaint).toContainText("ends below its beginning");
  await from.fill("10");
  await to.fill("200.00");
  await page.keyboard.press("Enter");

  await expect(page).toHaveURL("/test/payments?currency=BRL&amount_from=1000&amount_to=20000");
  await expect(page.getByRole("row")).toHaveCount(4);
  await expect(page.getByRole("button", { name: "Minimum amount 10.00 BRL" })).toBeVisible();
  await expect(page.getByRole("button", { name: "All 3" })).toBeVisible();
  await page.reload();
  await untilLive(page);
  await expect(page.getByRole("row")).toHaveCount(4);

  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const file = readFileSync(await (await downloading).path(), "utf8");
  expect(file.trim().split("\r\n")).toHaveLength(4);

  await page.getByRole("button", { name: "Maximum amount 200.00 BRL" }).click();
  await expect(page).toHaveURL("/test/payments?currency=BRL&amount_from=1000");
  await expect(page.getByRole("row")).toHaveCount(5);
  // Minor units of one currency say nothing in another.
  await page.getByRole("button", { name: /^Currency BRL/ }).click();
  await expect(page).toHaveURL("/test/payments");
  await expect(page.getByRole("row")).toHaveCount(6);

  await page.goto("/test/payments?amount_from=1000");
  await untilLive(page);
  await expect(page.getByRole("alert").filter({ hasText: "amount_from" })).toContainText("needs a currency");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("row")).toHaveCount(6);
});

test("on a phone, a range of payouts fits the window", async ({ page, openAs }) => {
  await openAs("finance", "/test/payouts?currency=BRL&amount_from=1000&amount_to=20000");
  await page.setViewportSize({ width: 360, height: 720 });
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await expect(page.getByLabel("Minimum amount")).toHaveValue("10.00");
  await expect(page.getByLabel("Maximum amount")).toHaveValue("200.00");
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
});
