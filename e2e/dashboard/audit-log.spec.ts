import { command } from "../support/operator";
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
  const heights = await page
    .locator("summary time")
    .evaluateAll((all) => all.map((time) => time.getBoundingClientRect().height));
  expect(Math.max(...heights), "a time takes one line").toBeLessThan(30);
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

test("the log is narrowed to exports and exported; a denied act names who tried", async ({
  page,
  openAs,
  otherBrowser,
  newMember,
}) => {
  const developer = await newMember("developer");
  const theirs = await otherBrowser(developer, "/test/developers/keys");
  expect((await theirs.request.get("/api/export/test/payouts")).status()).toBe(403);
  await openAs("owner", "/test/payouts");
  expect((await page.request.get("/api/export/test/payouts?country=BR")).status()).toBe(200);
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByLabel("Actions").selectOption("Exports");
  await expect(page).toHaveURL("/test/audit?group=exports");
  await expect(page.locator("summary")).toHaveCount(2);
  const file = await page.request.get(
    (await page.getByRole("link", { name: "Export CSV" }).getAttribute("href")) ?? "",
  );
  expect((await file.text()).split("\r\n")[0]).toMatch(/^id,at,environment,action,/);

  await page.getByLabel("Actions").selectOption("Refusals and pauses");
  await page.locator("summary", { hasText: "member.act_denied" }).click();
  await expect(page.getByText("export.payouts")).toBeVisible();
  await page.getByRole("link", { name: /^member mem_/ }).click();
  await expect(page).toHaveURL(/\/test\/audit\?actor_id=mem_/);
  await expect(page.locator("summary").first()).toContainText(developer.email);
});

test("the page shows through which entry the chain was verified", async ({ page, service, ownMerchant, openAs }) => {
  await openAs("owner", "/test/audit");
  await expect(page.getByText("was never verified")).toBeVisible();
  await command(service, "audit", "verify", "--merchant", ownMerchant.id);
  await page.reload();
  await expect(page.getByText(/^Verified through entry \d+ on/)).toBeVisible();
});

test("an approver sees neither the audit log nor a link to it", async ({ page, openAs }) => {
  await openAs("approver", "/test/payouts");
  await expect(page.getByRole("link", { name: "Audit log" })).toHaveCount(0);
  expect((await page.goto("/test/audit"))?.status()).toBe(404);
});
