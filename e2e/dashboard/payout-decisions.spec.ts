// Deciding on payouts in the browser: approving, cancelling, racing, several at once, by keyboard alone.
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { signInTo } from "./members";
import { createPayout, readPayout } from "./payouts";

const WATCH = /payoutIntents\.watch/;
/** Past the gate: the worker sends it to the provider, which then pays it. */
const SENT = /^(processing|succeeded)$/;

/** Presses Tab until the named element has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const wanted = page.getByRole("button", { name }).first();
  await expect(wanted).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never came to ${name}`);
}

test("an approver starts with the payouts that await them and approves one, which is dispatched", async ({
  page,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver");
  const { id } = await createPayout(ownApi, "Padaria Estrela");
  await signInTo(page, approver, "/test/payouts?queue=mine");
  await page.getByRole("button", { name: "Approve 25.04 BRL to Padaria Estrela" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve 25.04 BRL?" });
  await expect(dialog).toContainText("account ending 7890 at bank 001");
  await expect(dialog).toContainText("Set aside once this is paid0.00 BRL");
  await expect(dialog.getByRole("button", { name: "Not now" })).toBeFocused();
  await dialog.getByRole("button", { name: "Approve 25.04 BRL" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: "Approved: 25.04 BRL to Padaria Estrela" })).toBeVisible();
  await expect(page.getByRole("cell", { name: /Processing|Succeeded/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Approve 25/ })).toHaveCount(0);
  expect(await readPayout(ownApi, id)).toMatchObject({ status: expect.stringMatching(SENT) });
});

test("a cancellation's reason is on the payout, in the audit trail and in the event, here and over REST", async ({
  page,
  ownApi,
  newMember,
}) => {
  const member = await newMember("admin");
  const { id } = await createPayout(ownApi, "Café Quetzal");
  await signInTo(page, member, `/test/payouts/${id}`);
  await page.getByRole("button", { name: "Cancel 25.04 BRL to Café Quetzal" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel the payout of 25.04 BRL?" });
  const reason = dialog.getByLabel("Reason");
  await expect(reason).toBeFocused();
  await reason.fill("💎".repeat(513));
  await expect(dialog.getByRole("button", { name: "Cancel payout" })).toBeDisabled();
  await expect(dialog.getByText("513 of 512 characters")).toBeVisible();
  await reason.fill("Paid twice 💎");
  await dialog.getByRole("button", { name: "Cancel payout" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Reason: Paid twice 💎")).toBeVisible();
  await expect(page.getByText("Message: Paid twice 💎")).toBeVisible();
  await expect(page.getByText("Event payout_intent.cancelled")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Reason: Paid twice" })).toContainText(member.email);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Cancelled");
  expect(await readPayout(ownApi, id)).toMatchObject({
    status: "cancelled",
    failure_code: "cancelled",
    failure_message: "Paid twice 💎",
  });
});

test("one of two browsers that decide on a payout wins; the other sees the error in place, and its typed text stays", async ({
  page,
  ownApi,
  newMember,
  otherBrowser,
}) => {
  const [first, second] = [await newMember("approver,finance"), await newMember("approver,finance")];
  const { id } = await createPayout(ownApi, "Harbor Supply");
  await signInTo(page, first, "/test/payouts");
  const rival = await otherBrowser(second, "/test/payouts");
  // Without live updates the first browser cannot detect that it is late.
  await page.route(WATCH, (route) => route.abort());
  await page.getByRole("button", { name: "Cancel 25.04 BRL to Harbor Supply" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Wrong account");

  await rival.getByRole("button", { name: "Approve 25.04 BRL to Harbor Supply" }).click();
  await rival.getByRole("button", { name: "Approve 25.04 BRL", exact: true }).click();
  await expect(rival.getByRole("dialog")).toHaveCount(0);

  await dialog.getByRole("button", { name: "Cancel payout" }).click();
  await expect(dialog.getByRole("alert")).toContainText(/processing|succeeded/);
  await page.unroute(WATCH);
  await expect(dialog.getByText("Somebody was faster")).toBeVisible();
  await expect(dialog.getByRole("heading")).toHaveText("No longer waiting");
  await expect(dialog.getByText("will not be paid")).toHaveCount(0);
  await expect(dialog.getByLabel("Reason")).toHaveValue("Wrong account");
  await expect(dialog.getByRole("button", { name: "Cancel payout" })).toHaveCount(0);
  expect(await readPayout(ownApi, id)).toMatchObject({ status: expect.stringMatching(SENT) });
});

test("several are approved together; one that has changed meanwhile is reported and does not block the others", async ({
  page,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver,finance");
  const made = [];
  for (const name of ["One", "Two", "Three"]) made.push(await createPayout(ownApi, `Vendor ${name}`));
  await signInTo(page, approver, "/test/payouts?queue=mine");
  for (const name of ["One", "Two", "Three"]) {
    await page.getByRole("checkbox", { name: `Select 25.04 BRL to Vendor ${name}` }).check();
  }
  await expect(page.getByText("75.12 BRL")).toBeVisible();
  await page.getByRole("button", { name: "Approve 3 selected" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve 3 payouts?" });
  await expect(dialog).toContainText("75.12 BRL");
  await ownApi.post(`/payout_intents/${made[1]?.id}/cancel`, { reason: "From elsewhere" });
  await dialog.getByRole("button", { name: "Approve 3 payouts" }).click();
  const result = page.getByRole("dialog", { name: "2 of 3 approved" });
  await expect(result.getByRole("listitem").filter({ hasText: "Not approved:" })).toContainText("Vendor Two");
  await expect(result.getByRole("listitem").filter({ hasText: "Vendor Two" })).toContainText("cancelled");
  const statuses = await Promise.all(made.map(async ({ id }) => (await readPayout(ownApi, id)).status));
  expect(statuses).toEqual([expect.stringMatching(SENT), "cancelled", expect.stringMatching(SENT)]);
});

test("the keyboard alone approves one payout and cancels another, and the focus returns", async ({
  page,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver,finance");
  const kept = await createPayout(ownApi, "Elm Street");
  const dropped = await createPayout(ownApi, "Oak Street");
  await signInTo(page, approver, "/test/payouts");
  await tabTo(page, /^Approve 25.04 BRL to Elm Street/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("button", { name: "Not now" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Approve 25.04 BRL to Elm Street" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("button", { name: "Not now" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await tabTo(page, /^Cancel 25.04 BRL to Oak Street/);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Reason")).toBeFocused();
  await page.keyboard.type("No longer needed");
  await tabTo(page, /^Cancel payout/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await readPayout(ownApi, kept.id)).toMatchObject({ status: expect.stringMatching(SENT) });
  expect(await readPayout(ownApi, dropped.id)).toMatchObject({ failure_message: "No longer needed" });
});
