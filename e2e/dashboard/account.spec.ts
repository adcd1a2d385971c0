import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { fillIn, signInTo } from "./members";

test("a member changes their password: the old one and every other session become invalid", async ({
  page,
  newMember,
  otherBrowser,
}) => {
  const member = await newMember("finance");
  const elsewhere = await otherBrowser(member, "/test/payments");
  await signInTo(page, member, "/test/account");
  const change = async (present: string, next: string) => {
    await page.getByLabel("Current password").fill(present);
    await page.getByLabel("New password").fill(next);
    await page.getByRole("button", { name: "Change password" }).click();
  };
  const password = `${member.password} anew`;
  await change("not the present one", password);
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/test\/payments$/);

  await change(member.password, password);
  await expect(page.getByText("Your password is changed")).toBeAttached();
  await expect(page.getByLabel("New password")).toHaveValue("");
  await elsewhere.goto("/test/payouts");
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await fillIn(elsewhere, member);
  await expect(elsewhere.getByRole("main").getByRole("alert")).toBeVisible();
  await fillIn(elsewhere, { ...member, password });
  await expect(elsewhere.getByRole("navigation", { name: "Dashboard" })).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL(/\/test\/account$/);
});

test("a member sees where they are signed in, and signs out one session or all others", async ({
  page,
  newMember,
  otherBrowser,
}) => {
  const member = await newMember("finance");
  const [second, third] = [await otherBrowser(member, "/test/payments"), await otherBrowser(member, "/test/payments")];
  await signInTo(page, member, "/test/account");
  const others = page.getByRole("button", { name: /^Sign out Chrome on / });
  await expect(page.getByText("(this session)")).toHaveCount(1);
  await expect(others).toHaveCount(2);
  await expectAccessible(page, 0);
  await others.first().click();
  await expect(others).toHaveCount(1);
  await page.getByRole("button", { name: "Sign out all others" }).click();
  await expect(others).toHaveCount(0);
  for (const ended of [second, third]) {
    await ended.goto("/test/payouts");
    await expect(ended).toHaveURL(/\/sign-in/);
  }
  await page.reload();
  await expect(page).toHaveURL(/\/test\/account$/);
});

test("a member's name comes first on their pages, with a proof, and the address stays beside it", async ({
  page,
  newMember,
  openAs,
}) => {
  const member = await newMember("finance");
  await signInTo(page, member, "/test/account");
  const save = page.getByRole("button", { name: "Save name" });
  await expect(save).toBeDisabled();
  await page.getByLabel("Your name").fill("paula@shop.example");
  await save.click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("name must have");
  await page.getByLabel("Your name").fill("Paula Reis");
  await save.click();
  await expect(page.getByText("Your name is changed.")).toBeAttached();
  await expect(page.getByRole("button", { name: /^Paula Reis/ })).toBeVisible();
  await expectAccessible(page, 0);
  await page.context().clearCookies();
  await openAs("owner", "/test/members");
  await expect(page.getByRole("row", { name: member.email })).toContainText("Paula Reis");
  await page.goto("/test/audit");
  await expect(page.getByText(`Paula Reis (${member.email})`).first()).toBeVisible();
});
