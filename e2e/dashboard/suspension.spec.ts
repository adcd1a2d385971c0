// A merchant that the operator has suspended, in the dashboard.
import type { Page } from "@playwright/test";
import { command } from "../support/operator";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { signInTo } from "./members";
import { createPayout, readPayout } from "./payouts";

/** Counts the messages that the page receives over its stream of changes from now on. */
async function messagesOf(page: Page): Promise<() => number> {
  const browser = await page.context().newCDPSession(page);
  let count = 0;
  browser.on("Network.eventSourceMessageReceived", ({ eventName }) => {
    // Others keep the connection alive.
    if (eventName === "message") count += 1;
  });
  await browser.send("Network.enable");
  return () => count;
}

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

test("a change during a page's request is seen too, by one more request", async ({
  page,
  service,
  ownMerchant,
  newMember,
}) => {
  const approver = await newMember("approver");
  let release = () => {};
  const suspended = new Promise<void>((resolve) => {
    release = resolve;
  });
  let answered = 0;
  await page.route(/session\.me/, async (route) => {
    // The first answer is from before the change, and arrives long after it.
    const answer = await route.fetch();
    answered += 1;
    if (answered === 1) await suspended;
    await route.fulfill({ response: answer });
  });
  await signInTo(page, approver, "/test/payouts");
  await expect.poll(() => answered).toBe(1);
  const told = await messagesOf(page);
  const before = told();
  await command(service, "merchants", "suspend", "--merchant", ownMerchant.id, "--reason", "Suspected fraud.");
  await expect.poll(told, { message: "the stream tells of the change" }).toBeGreaterThan(before);
  release();
  await expect(page.getByText("The operator has suspended this merchant")).toBeVisible({ timeout: 15_000 });
});
