// Members: added with a password shown once, given other roles, disabled.
import { randomUUID } from "node:crypto";
import { expect, test } from "./fixtures";

test("an owner adds a member, whose password is shown once and works; a changed role applies at the next call, disabling immediately", async ({
  page,
  openAs,
  otherBrowser,
}) => {
  test.setTimeout(240_000);
  await openAs("owner", "/test/members");
  await page.getByRole("button", { name: "Add member" }).click();
  const dialog = page.getByRole("dialog");
  const email = `${randomUUID()}@staff.example`;
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel(/^approver/).check();
  await dialog.getByRole("button", { name: "Add member" }).click();
  await expect(dialog.getByRole("heading", { name: "Member added" })).toBeVisible();
  const password = (await dialog.getByText(/^[0-9A-Za-z]{20}$/).textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have kept it" }).click();
  await expect(page.getByRole("row", { name: email })).toContainText("approver, finance");
  expect(await page.content()).not.toContain(password);

  const theirs = await otherBrowser({ email, password }, "/test/audit");
  await expect(theirs.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
  await page.getByRole("button", { name: `Manage ${email}` }).click();
  await dialog.getByLabel(/^finance/).uncheck();
  await dialog.getByRole("button", { name: "Save roles" }).click();
  await expect(dialog).toHaveCount(0);
  expect((await theirs.goto("/test/audit"))?.status()).toBe(404);
  expect((await theirs.goto("/test/payouts"))?.status()).toBe(200);

  await page.getByRole("button", { name: `Manage ${email}` }).click();
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("row", { name: email })).toContainText("Disabled");
  await theirs.goto("/test/payouts");
  await expect(theirs).toHaveURL(/\/sign-in/);
});

test("the last owner cannot be demoted, and sees why in place; an admin cannot act on owners", async ({
  page,
  openAs,
}) => {
  const owner = await openAs("owner", "/live/members");
  await page.getByRole("button", { name: `Manage ${owner.email}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^finance/).check();
  await dialog.getByLabel(/^owner/).uncheck();
  await dialog.getByRole("button", { name: "Save roles" }).click();
  await expect(dialog.getByRole("alert")).toContainText("last owner");
  await page.context().clearCookies();
  await openAs("admin", "/test/members");
  await expect(page.getByRole("row", { name: owner.email })).toBeVisible();
  await expect(page.getByRole("button", { name: `Manage ${owner.email}` })).toHaveCount(0);
});
