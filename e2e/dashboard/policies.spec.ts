// The approval policy: one member proposes, another confirms, nobody does both.
import { expect, test } from "./fixtures";
import { signInTo } from "./members";

test("a policy that one owner proposes takes effect once another person confirms it; the proposer cannot", async ({
  page,
  newMember,
  otherBrowser,
}) => {
  test.setTimeout(240_000);
  const [owner, admin] = [await newMember("owner"), await newMember("admin")];
  await signInTo(page, owner, "/test/policies");
  await expect(page.getByText("Every payout", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Propose a change" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add a rule" }).click();
  await dialog.getByLabel("Amount at least", { exact: true }).fill("10000");
  await dialog.getByRole("button", { name: "Propose", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("needs a currency");
  await dialog.getByLabel("Currency").selectOption("BRL");
  await dialog.getByLabel("Requires", { exact: true }).selectOption("3 approvals");
  await dialog.getByRole("button", { name: "Propose", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("so 4 are needed");
  await dialog.getByLabel("Requires", { exact: true }).selectOption("1 approval");
  await dialog.getByRole("button", { name: "Propose", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("You proposed this, so another owner or admin must confirm it.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Confirm…" })).toHaveCount(0);
  const mine = await page.request.post("/api/trpc/approvalPolicies.confirm", {
    data: { environment: "test", version: 2 },
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect(mine.status()).toBe(422);

  const theirs = await otherBrowser(admin, "/test/policies");
  await expect(theirs.getByText("Payouts of 10,000.00 BRL or more")).toBeVisible();
  await theirs.getByRole("button", { name: "Confirm…" }).click();
  await theirs.getByRole("dialog").getByRole("button", { name: "Confirm policy" }).click();
  await expect(theirs.getByText(`confirmed by ${admin.email}`)).toBeVisible();
  await expect(theirs.getByText("Proposed: waits for a second person")).toHaveCount(0);
});

test("a developer sees no policy; an approver sees it without controls to change it", async ({ page, openAs }) => {
  await openAs("approver", "/live/policies");
  await expect(page.getByText("Every payout", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Propose a change" })).toHaveCount(0);
  await page.context().clearCookies();
  await openAs("developer", "/test/payments");
  expect((await page.goto("/test/policies"))?.status()).toBe(404);
});

test("an admin limits payouts with a password; an approver sees the limits without controls", async ({
  page,
  newMember,
  otherBrowser,
}) => {
  const [admin, approver] = [await newMember("admin"), await newMember("approver")];
  await signInTo(page, admin, "/live/policies");
  await page.getByRole("button", { name: "Set limits…" }).click();
  const dialog = page.getByRole("dialog", { name: "Limit payouts in live" });
  await dialog.getByLabel("Currency").selectOption("BRL");
  await dialog.getByLabel("Largest payout").fill("ten");
  await dialog.getByRole("button", { name: "Set limits" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter an amount above zero");
  await dialog.getByLabel("Largest payout").fill("5,000.50");
  await dialog.getByLabel("Total of a UTC day", { exact: true }).fill("20000");
  await dialog.getByRole("button", { name: "Set limits" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const row = page.getByRole("row", { name: "All payouts" });
  await expect(row).toContainText("5,000.50");
  await expect(row).toContainText("20,000.00");

  const theirs = await otherBrowser(approver, "/live/policies");
  await expect(theirs.getByRole("row", { name: "All payouts" })).toContainText("5,000.50");
  await expect(theirs.getByRole("button", { name: "Set limits…" })).toHaveCount(0);
});
