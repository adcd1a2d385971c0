// Reconciliation: files, their lines by verdict, and the exceptions that they lead to.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { untilLive } from "./members";
import { createPaid, importSettlementFile, settlementText } from "./settlement-files";
import { expectFits } from "./widths";

test("finance sees which lines of a provider's file match, and follows a difference to its exception", async ({
  page,
  service,
  ownApi,
  openAs,
}) => {
  test.setTimeout(240_000);
  const [right, wrong] = [await createPaid(ownApi), await createPaid(ownApi)];
  const name = `${randomUUID()}.csv`;
  await expect(importSettlementFile(service, { [right]: "1050", [wrong]: "1040" }, name)).rejects.toThrow();
  await openAs("finance", "/test/reconciliation");
  await expect(page.getByRole("row", { name })).toContainText("1 mismatch");
  await expectAccessible(page, 0);
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  const rows = page.getByRole("table", { name: "Lines by verdict" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await page.getByRole("button", { name: "Amount mismatch 1" }).click();
  await expect(page).toHaveURL(/\?verdict=amount_mismatch$/);
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("row", { name: wrong })).toContainText(
    "Ours 10.50 BRL, theirs 10.40 BRL, difference −0.10 BRL",
  );
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const [header = "", ...exported] = readFileSync(await (await download).path(), "utf8")
    .trim()
    .split("\r\n");
  expect(header).toContain("verdict,explanation,");
  expect(exported).toHaveLength(1);
  expect(exported[0]).toMatch(
    new RegExp(`^${wrong},amount_mismatch,.*,1040,10\\.40,.*,1050,10\\.50,BRL,-10,-0\\.10,.*,${wrong},\\d+$`),
  );
  await expectFits(page);
  await expectAccessible(page, 1);
  await page.getByRole("row", { name: wrong }).getByRole("link", { name: "Exceptions" }).click();
  await expect(page).toHaveURL(new RegExp(`object_id=${wrong}`));
  await expect(page.locator("summary", { hasText: "Amount mismatch" })).toContainText("10.40 BRL");
});

test("finance previews a file line by line and stores it; the month and the file show their differences", async ({
  page,
  service,
  ownApi,
  openAs,
}) => {
  test.setTimeout(240_000);
  const [right, wrong] = [await createPaid(ownApi), await createPaid(ownApi)];
  const name = "=HYPERLINK(1).csv";
  const text = await settlementText(service, { [right]: "1050", [wrong]: "1040" }, new Date().toISOString());
  const choose = () =>
    page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await openAs("finance", "/test/reconciliation");
  await page.getByRole("link", { name: "Upload file" }).click();
  await untilLive(page);
  await choose();
  const lines = page.getByRole("table", { name: "Lines of the file" });
  await expect(lines.getByRole("row", { name: /Matched/ })).toContainText("10.50 BRL");
  await expect(lines.getByRole("row", { name: /Amount mismatch/ })).toContainText("Our books have 10.50 BRL.");
  await expect(page.getByText("2 new lines:")).toBeVisible();
  await page.getByLabel("Differences only").check();
  await expect(lines.getByRole("row")).toHaveCount(2);
  await expectFits(page);
  await expectAccessible(page, 0);
  await page.getByRole("button", { name: "Store 2 lines" }).click();
  await expect(page.getByText("1 exception opened, 0 exceptions resolved.")).toBeVisible();
  await page.getByRole("link", { name: "View file" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  const totals = page.getByRole("table", { name: "Totals of the file by currency" });
  for (const sum of ["20.90", "21.00", "−0.10", "0.24"])
    await expect(totals.getByRole("cell", { name: sum, exact: true })).toBeVisible();

  await page.getByRole("main").getByRole("link", { name: "Reconciliation" }).click();
  const month = page.getByRole("table", { name: /settled in the month/ });
  await expect(month.getByRole("row", { name: /^BRL sandbox/ })).toContainText("−0.10");
  await page.getByRole("link", { name: "Upload file" }).click();
  await untilLive(page);
  await choose();
  await expect(page.getByText("Every line of this file was read before")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Store/ })).toHaveCount(0);
  await page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from("line_id\n1\n") });
  await expect(page.getByRole("alert").filter({ hasText: "line 1, column kind" })).toBeVisible();
});

test("an approver sees neither reconciliation nor a link to it", async ({ page, openAs }) => {
  await openAs("approver", "/test/payments");
  await expect(page.getByRole("link", { name: "Reconciliation" })).toHaveCount(0);
  expect((await page.goto("/test/reconciliation"))?.status()).toBe(404);
});
