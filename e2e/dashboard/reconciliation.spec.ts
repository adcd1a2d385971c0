// Reconciliation: files, their lines by verdict, and the exceptions that they lead to.
import { randomUUID } from "node:crypto";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { createPaid, importSettlementFile } from "./settlement-files";
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
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByRole("button", { name: "Amount mismatch 1" }).click();
  await expect(page).toHaveURL(/\?verdict=amount_mismatch$/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row", { name: wrong })).toContainText(
    "Ours 10.50 BRL, theirs 10.40 BRL, difference −0.10 BRL",
  );
  await expectFits(page);
  await expectAccessible(page, 1);
  await page.getByRole("row", { name: wrong }).getByRole("link", { name: "Exceptions" }).click();
  await expect(page).toHaveURL(new RegExp(`object_id=${wrong}`));
  await expect(page.locator("summary", { hasText: "Amount mismatch" })).toContainText("10.40 BRL");
});

test("an approver sees neither reconciliation nor a link to it", async ({ page, openAs }) => {
  await openAs("approver", "/test/payments");
  await expect(page.getByRole("link", { name: "Reconciliation" })).toHaveCount(0);
  expect((await page.goto("/test/reconciliation"))?.status()).toBe(404);
});
