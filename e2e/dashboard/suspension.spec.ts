// A merchant that the operator has suspended, in the dashboard.
import { command } from "../support/operator";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { signInTo } from "./members";
import { createPayout, readPayout } from "./payouts";

test("an open page says so at once, and an approval is rejected with the reason", async ({
  page,
  service,
  ownMerchant,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver");
  const { id } = await createPayout(ownApi, "Vendor");
  await signInTo(page, approver, "/test/payouts?queue=mine");
  const banner = page.getByText("The operator has suspended this merchant");
  await expect(banner).toHaveCount(0);
  await command(service, "merchants", "suspend", "--merchant", ownMerchant.id, "--reason", "Suspected fraud.");
  await expect(banner).toBeVisible();
  await expectAccessible(page, 0);
  await page.getByRole("button", { name: "Approve 25.04 BRL to Vendor" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Approve/ })
    .click();
  await expect(page.getByText("The operator of this service has suspended the merchant.")).toBeVisible();
  expect(await readPayout(ownApi, id)).toMatchObject({ status: "requires_approval" });
});
