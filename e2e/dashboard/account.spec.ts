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
    await page.getByLabel("Present password").fill(present);
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
