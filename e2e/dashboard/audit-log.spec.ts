import { expect, test } from "./fixtures";
import { untilLive } from "./members";
import { createPayout } from "./payouts";

test("the log shows who cancelled which payout and why, in this environment only, and can be filtered by object", async ({
  page,
  ownApi,
  openAs,
}) => {
  const { id } = await createPayout(ownApi, "Vendor");
  const { id: kept } = await createPayout(ownApi, "Other vendor");
  await ownApi.post(`/payout_intents/${id}/cancel`, { reason: "Duplicate" });
  await openAs("finance", "/test/payments");
  await page.getByRole("link", { name: "Audit log" }).click();
  await expect(page.locator("summary", { hasText: kept })).toContainText("payout_intent.create");
  await page.getByLabel("Show the entries of one object, by its id").fill(id);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/test/audit?object_id=${id}`);
  await expect(page.locator("summary", { hasText: kept })).toHaveCount(0);
  await page.locator("summary", { hasText: "payout_intent.cancel" }).click();
  await expect(page.getByText("Duplicate", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: id }).click();
  await expect(page).toHaveURL(`/test/payouts/${id}`);

  await page.goto(`/live/audit?object_id=${id}`);
  await untilLive(page);
  await expect(page.getByText("No entries match")).toBeVisible();
});

test("an approver sees neither the audit log nor a link to it", async ({ page, openAs }) => {
  await openAs("approver", "/test/payouts");
  await expect(page.getByRole("link", { name: "Audit log" })).toHaveCount(0);
  expect((await page.goto("/test/audit"))?.status()).toBe(404);
});
