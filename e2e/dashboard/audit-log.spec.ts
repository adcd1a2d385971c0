import { expect, test } from "../support/fixtures";
import { createMerchant } from "../support/merchant";
import { createMember, signInTo, untilLive } from "./members";
import { createPayout } from "./payouts";

test("the log shows who cancelled which payout and why, in this environment only, and can be filtered by object", async ({
  page,
  service,
  apiFor,
}) => {
  const merchant = await createMerchant(service);
  const api = apiFor(merchant.keys.test);
  const { id } = await createPayout(api, "Vendor");
  const { id: kept } = await createPayout(api, "Other vendor");
  await api.post(`/payout_intents/${id}/cancel`, { reason: "Duplicate" });
  await signInTo(page, await createMember(service, merchant, "finance"), "/test/payments");
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

test("an approver sees neither the audit log nor a link to it", async ({ page, service, merchant }) => {
  await signInTo(page, await createMember(service, merchant, "approver"), "/test/payouts");
  await expect(page.getByRole("link", { name: "Audit log" })).toHaveCount(0);
  expect((await page.goto("/test/audit"))?.status()).toBe(404);
});
