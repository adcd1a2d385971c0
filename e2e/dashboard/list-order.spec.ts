// A list's order: reversed by its header, stored in the address, followed by the file and the banner of new rows.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { paymentBody } from "../rest/bodies";
import { expect, test } from "./fixtures";
import { untilLive } from "./members";
import { createPayout } from "./payouts";

const PHONE = { width: 360, height: 740 };

const created = (page: Page) => page.getByRole("columnheader", { name: "Created" });
const turnRound = (page: Page) => created(page).getByRole("button", { name: "Created" }).click();

test("the header reverses the list; pages, back, reload and the CSV file follow its order", async ({
  page,
  ownApi,
  openAs,
}) => {
  const ids: string[] = [];
  for (let number = 1; number <= 27; number += 1) ids.push((await createPayout(ownApi, `Vendor No. ${number}.`)).id);
  await openAs("finance", "/test/payouts?currency=BRL");
  const row = page.getByRole("row");

  await expect(created(page)).toHaveAttribute("aria-sort", "descending");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(row).toHaveCount(3);
  await turnRound(page);
  await expect(page).toHaveURL("/test/payouts?currency=BRL&sort=created_at");
  await expect(created(page)).toHaveAttribute("aria-sort", "ascending");
  await expect(row).toHaveCount(26);
  await expect(row.nth(1)).toContainText("Vendor No. 1.");
  await expect(row.nth(25)).toContainText("Vendor No. 25.");

  await page.getByRole("button", { name: "Next" }).click();
  await expect(row).toHaveCount(3);
  await expect(row.nth(1)).toContainText("Vendor No. 26.");
  await expect(row.nth(2)).toContainText("Vendor No. 27.");
  await page.reload();
  await untilLive(page);
  await expect(row).toHaveCount(3);
  await expect(row.nth(2)).toContainText("Vendor No. 27.");
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(row).toHaveCount(26);
  await expect(row.nth(1)).toContainText("Vendor No. 1.");

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const lines = readFileSync(await (await download).path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(ids);

  await page.getByRole("button", { name: /^Order Oldest first/ }).click();
  await expect(page).toHaveURL("/test/payouts?currency=BRL");
  await expect(row.nth(1)).toContainText("Vendor No. 27.");
});

test("oldest first, newer rows are announced only below the last page, and appear only on request", async ({
  page,
  ownApi,
  openAs,
}) => {
  for (let number = 1; number <= 26; number += 1) await ownApi.post("/payment_intents", paymentBody());
  await openAs("finance", "/test/payments?sort=created_at");
  const row = page.getByRole("row");
  const news = page.getByRole("button", { name: /new payment/ });
  const all = (count: number) => page.getByRole("button", { name: `All ${count}` });

  await expect(all(26)).toBeVisible();
  await ownApi.post("/payment_intents", paymentBody({ amount: "777700" }));
  // The answer that counts the new row would also announce it.
  await expect(all(27)).toBeVisible();
  await expect(news).toHaveCount(0);
  await page.getByRole("button", { name: "Next" }).click();
  await expect(row).toHaveCount(3);
  await expect(row.nth(2)).toContainText("7,777.00 BRL");

  await ownApi.post("/payment_intents", paymentBody({ amount: "888800" }));
  await expect(news).toHaveText("1 new payment");
  await expect(row).toHaveCount(3);
  const [rowBox, newsBox] = [await row.nth(2).boundingBox(), await news.boundingBox()];
  expect(newsBox?.y).toBeGreaterThan(rowBox?.y ?? Number.POSITIVE_INFINITY);
  await news.click();
  await expect(row).toHaveCount(4);
  await expect(row.nth(3)).toContainText("8,888.00 BRL");
  await expect(news).toHaveCount(0);
});

test("a phone has the same header button, and an invalid order is rejected with a message", async ({
  page,
  ownApi,
  openAs,
}) => {
  await ownApi.post("/payment_intents", paymentBody({ amount: "100100" }));
  await ownApi.post("/payment_intents", paymentBody({ amount: "200200" }));
  await openAs("finance", "/test/payments");
  await page.setViewportSize(PHONE);
  const amounts = page.getByRole("link", { name: / BRL$/ });
  await expect(amounts).toHaveText(["2,002.00 BRL", "1,001.00 BRL"]);
  await page.getByRole("button", { name: "Created" }).click();
  await expect(amounts).toHaveText(["1,001.00 BRL", "2,002.00 BRL"]);

  await page.goto("/test/payments?sort=amount");
  await untilLive(page);
  await expect(page.getByRole("alert").filter({ hasText: "sort must be one of" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL("/test/payments");
  await expect(amounts).toHaveCount(2);
});
