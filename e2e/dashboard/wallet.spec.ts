// The wallet's page: balances, the statement of each account, the period in the address, the CSV file.
import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures";
import { untilLive } from "./members";
import { createPayout } from "./payouts";

test("a statement shows each movement and balance, links to the payout, and is exported as filtered", async ({
  page,
  ownApi,
  openAs,
}) => {
  const payout = await createPayout(ownApi, "Vendor", { amount: "2504" });
  await openAs("finance", "/test/wallet");

  const statement = page.getByRole("table", { name: /^Movements in/ });
  const hold = statement.getByRole("row", { name: /Set aside for a payout/ });
  await expect(page.getByRole("heading", { name: "Statement, BRL" })).toBeVisible();
  await expect(hold).toContainText("−25.04");
  await expect(hold).toContainText("999,974.96");
  await expect(statement.getByRole("row", { name: /Funding/ })).toContainText("+1,000,000.00");
  await expect(statement.getByRole("row", { name: /Opening balance/ })).toContainText("0.00");

  await page.getByRole("button", { name: "Held for payouts" }).click();
  await expect(page).toHaveURL("/test/wallet?account=held");
  await expect(hold).toContainText("+25.04");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const lines = readFileSync(await (await download).path(), "utf8").split("\r\n");
  expect(lines[0]).toBe(
    "booked_at,movement,reason,merchant_reference,provider_reference,counterparty,amount_minor_units,amount," +
      "balance_minor_units,balance,currency,intent_id,transaction_id,number",
  );
  expect(lines[1]).toContain(",Opening balance,opening_balance,,,,,,0,0.00,BRL,");
  expect(lines[2]).toContain(
    `payout_hold,${payout.merchant_reference},,Vendor,2504,25.04,2504,25.04,BRL,${payout.id},`,
  );
  expect(lines[3]).toContain(",Closing balance,closing_balance,,,,,,2504,25.04,BRL,");
  expect(lines.slice(4)).toEqual([""]);

  await page.getByLabel("Until").fill("2020-02-29");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("No movements match")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(hold).toContainText("Vendor");
  await page.getByRole("link", { name: payout.merchant_reference }).click();
  await expect(page).toHaveURL(`/test/payouts/${payout.id}`);

  await page.goto("/test/wallet");
  await untilLive(page);
  await page.getByRole("button", { name: /^MXN/ }).click();
  await expect(page.getByRole("heading", { name: "Statement, MXN" })).toBeVisible();
  await expect(statement.getByRole("row", { name: /Set aside/ })).toHaveCount(0);
});

test("a month has its balances and totals, by kind, and is saved as camt.053 and as PDF", async ({
  page,
  ownApi,
  openAs,
}) => {
  const payout = await createPayout(ownApi, "Söhne & <Vendor>", { amount: "2504", reference: "INV-2041 & co" });
  await openAs("finance", "/test/wallet");
  await expect(page.getByText("Choose a period to see its opening and closing balance")).toBeVisible();
  await page.getByLabel("Period").selectOption("This month");
  await expect(page).toHaveURL(/created_after=.*created_before=/);
  const figure = (name: string) => page.locator("dl > div").filter({ has: page.getByText(name, { exact: true }) });
  await expect(figure("Opening balance")).toContainText("0.00");
  await expect(figure("In")).toContainText("1,000,000.00");
  await expect(figure("Out")).toContainText("25.04");
  await expect(figure("Closing balance")).toContainText("999,974.96");
  await page.getByText("Totals by kind of movement").click();
  const kinds = page.getByRole("table", { name: "Totals in BRL by kind of movement" });
  await expect(kinds.getByRole("row", { name: /Set aside for a payout/ })).toContainText("25.04");

  const save = async (name: string) => {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name, exact: true }).click();
    return readFileSync(await (await download).path());
  };
  const xml = (await save("camt.053")).toString();
  // The browser's parser rejects what is not well-formed.
  const read = await page.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, "application/xml");
    const textsOf = (name: string) => [...document.getElementsByTagName(name)].map(({ textContent }) => textContent);
    return { root: document.documentElement.tagName, names: textsOf("Nm"), references: textsOf("EndToEndId") };
  }, xml);
  expect(read.root).toBe("Document");
  expect(read.names).toContain("Söhne & <Vendor>");
  expect(read.references).toEqual([payout.merchant_reference]);
  expect((await save("PDF")).subarray(0, 5).toString()).toBe("%PDF-");

  await page.getByLabel("Period").selectOption("Last month");
  await expect(page.getByText("No movements match")).toBeVisible();
  await page.getByRole("button", { name: /^USDT/ }).click();
  await expect(page.getByRole("link", { name: "PDF" })).toBeVisible();
  await expect(page.getByRole("link", { name: "camt.053" })).toHaveCount(0);
});

test("the balance of every day is shown as a chart and a table, for the account and the days in the address", async ({
  page,
  ownApi,
  openAs,
}) => {
  await createPayout(ownApi, "Vendor", { amount: "2504" });
  await openAs("finance", "/test/wallet");
  const balance = page.getByRole("region", { name: "Balance over time, BRL" });
  await expect(balance.getByRole("img", { name: /^Available, BRL, by day from/ })).toBeVisible();
  await balance.getByText("Figures by day").click();
  const rows = balance.getByRole("table", { name: "Available, BRL, by day" }).getByRole("row");
  await expect(rows).toHaveCount(31);
  await expect(rows.nth(1)).toContainText("999,974.96");
  await expect(rows.nth(30).getByRole("cell")).toHaveText(["0.00", "0.00"]);
  await balance.getByRole("button", { name: "90 days" }).click();
  await expect(page).toHaveURL("/test/wallet?days=90");
  await expect(rows).toHaveCount(91);
  await page.getByRole("button", { name: "Held for payouts" }).click();
  await expect(balance.getByRole("img", { name: /^Held for payouts, BRL, by day from/ })).toBeVisible();
  await expect(balance.getByText("Highest 25.04")).toBeVisible();
});

test("new bookings are announced above the statement and appear only on request", async ({ page, ownApi, openAs }) => {
  // Disables polling: whatever still appears came by the stream.
  await page.addInitScript(() => {
    window.setInterval = (() => 0) as unknown as typeof window.setInterval;
  });
  await openAs("finance", "/test/wallet");
  const rows = page.getByRole("table", { name: /^Movements in BRL/ }).getByRole("row");
  await expect(rows.nth(1)).toContainText("Funding");
  await createPayout(ownApi, "Vendor", { amount: "2504" });
  const news = page.getByRole("button", { name: "1 new movement" });
  await expect(news).toBeVisible();
  await expect(page.getByRole("button", { name: /^BRL/ })).toContainText("999,974.96");
  await expect(rows.nth(1)).toContainText("Funding");
  await news.click();
  await expect(rows.nth(1)).toContainText("999,974.96");
  await expect(news).toHaveCount(0);
  await createPayout(ownApi, "Other vendor", { amount: "4" });
  await createPayout(ownApi, "Third vendor", { amount: "10" });
  await page.getByRole("button", { name: "2 new movements" }).click();
  await expect(rows.nth(1)).toContainText("999,974.82");
});

test("a developer sees neither a wallet nor a link to one, and cannot read a statement", async ({ page, openAs }) => {
  await openAs("developer", "/test/payments");
  await expect(page.getByRole("link", { name: "Wallet" })).toHaveCount(0);
  expect((await page.goto("/test/wallet"))?.status()).toBe(404);
  expect((await page.request.get("/api/export/test/statement?currency=BRL&account=available")).status()).toBe(403);
});
