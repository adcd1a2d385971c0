// One-time codes: set up with an authenticator, required at sign-in and for chosen acts, valid once.
import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { command } from "../support/operator";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { fillIn, type Person, proofDialog, signInTo, untilLive } from "./members";
import { createPayout, readPayout } from "./payouts";

const PERIOD_MS = 30_000;
const stepNow = () => Math.floor(Date.now() / PERIOD_MS);

/** An authenticator that returns a code of a later step each time, and waits until the service accepts that step. */
function authenticator(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  let last = 0;
  return async () => {
    await expect.poll(() => stepNow() >= last, { timeout: 60_000 }).toBe(true);
    last = Math.max(last + 1, stepNow());
    return totp.generate({ timestamp: last * PERIOD_MS });
  };
}

/** Sets codes up on the open account page; returns the authenticator's next code, and the recovery codes. */
async function setUpCodes(page: Page, { password }: Person) {
  await page.getByRole("button", { name: "Set up" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("img", { name: "The secret as a QR code" })).toBeVisible();
  const next = authenticator((await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? "");
  await dialog.getByLabel("One-time code").fill(await next());
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(dialog.getByRole("heading", { name: "Save your recovery codes" })).toBeVisible();
  const recovery = ((await dialog.locator("pre").textContent()) ?? "").split("\n");
  expect(recovery).toHaveLength(10);
  await dialog.getByRole("button", { name: "I’ve saved them" }).click();
  await expect(page.getByText("Set up", { exact: true })).toBeVisible();
  return { next, recovery };
}

async function giveCode(page: Page, code: string): Promise<void> {
  await proofDialog(page).getByLabel("One-time code").fill(code);
  await proofDialog(page).getByRole("button", { name: "Confirm" }).click();
}

test("a member sets codes up, signs in with one, and enters one to approve if the merchant requires it", async ({
  page,
  service,
  ownMerchant,
  ownApi,
  newMember,
}) => {
  test.setTimeout(300_000);
  const member = await newMember("approver");
  const { id } = await createPayout(ownApi, "Vendor");
  await command(service, "merchants", "set-totp", "--merchant", ownMerchant.id, "--required-for", "approve");
  await signInTo(page, member, "/test/account");
  const { next, recovery } = await setUpCodes(page, member);
  const dialog = page.getByRole("dialog");

  await page.context().clearCookies();
  await page.goto(`/sign-in?next=${encodeURIComponent("/test/payouts")}`);
  await fillIn(page, member);
  await page.getByLabel("One-time code").fill("000000x");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The code is wrong" })).toBeVisible();
  await page.getByLabel("One-time code").fill(recovery[0] ?? "");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL("/test/payouts");
  await untilLive(page);

  await page.goto(`/test/payouts/${id}`);
  await untilLive(page);
  await page.getByRole("button", { name: /^Approve/ }).click();
  await expect(async () => {
    await dialog.getByRole("button", { name: /^Approve/ }).click();
    await expect(proofDialog(page).getByLabel("One-time code")).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  expect(await readPayout(ownApi, id)).toMatchObject({ status: "requires_approval" });
  await giveCode(page, await next());
  await expect(dialog).toHaveCount(0);
  await expect.poll(async () => (await readPayout(ownApi, id)).status).not.toBe("requires_approval");
});

test("if the merchant requires a code, a key is rolled only with one", async ({
  page,
  service,
  ownMerchant,
  openAs,
}) => {
  await command(service, "merchants", "set-totp", "--merchant", ownMerchant.id, "--required-for", "key_roll");
  const developer = await openAs("developer", "/test/account");
  const { next } = await setUpCodes(page, developer);
  await page.goto("/test/developers/keys");
  await untilLive(page);
  const { publicKey } = ownMerchant.keys.test;
  const row = page.getByRole("row", { name: publicKey });
  await row.getByRole("button", { name: /^Roll / }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Roll key" }).click();
  await giveCode(page, "000000");
  await expect(proofDialog(page)).toContainText("The code is wrong");
  await expect(dialog.getByText(/^sk_test_/)).toHaveCount(0);
  await giveCode(page, await next());
  await expect(dialog.getByText(/^sk_test_/)).toBeVisible();
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();
  await expect(row).toContainText("Being replaced");
});

test("an admin with codes chooses which acts require a code; an admin without codes sees an error and changes nothing", async ({
  page,
  newMember,
}) => {
  test.setTimeout(300_000);
  const admin = await newMember("admin");
  await newMember("approver");
  await signInTo(page, admin, "/test/members");
  const panel = page.getByRole("region", { name: "Two-factor requirements" });
  await expect(panel.getByText("0 of 2 who may do it have codes or a passkey")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Change…" })).toHaveCount(0);
  const refused = await page.request.post("/api/trpc/members.setStepUp", {
    data: { environment: "test", required_for: ["approve"], code: "000000" },
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect([refused.status(), await refused.text()]).toEqual([400, expect.stringContaining("must be set up under")]);

  await panel.getByRole("link", { name: "set one up under Your account" }).click();
  await expect(page).toHaveURL("/test/account");
  await untilLive(page);
  const { next } = await setUpCodes(page, admin);
  await page.goto("/test/members");
  await untilLive(page);
  await panel.getByRole("button", { name: "Change…" }).click();
  const dialog = page.getByRole("dialog");
  const change = dialog.getByRole("button", { name: "Change", exact: true });
  await expect(change).toBeDisabled();
  await dialog.getByLabel("approving payouts").check();
  await expect(dialog.getByText(/1 of 2 members with a role for approving payouts have neither codes/)).toBeVisible();
  await expectAccessible(page, 0);
  await change.click();
  await giveCode(page, "000000");
  await expect(proofDialog(page)).toContainText("The code is wrong");
  await expectAccessible(page, 1);
  await giveCode(page, await next());
  await expect(dialog).toHaveCount(0);
  await expect(panel.getByText("Required", { exact: true })).toHaveCount(1);
  await page.goto("/test/audit");
  await expect(page.getByText("merchant.set_totp").first()).toBeVisible();
  await page.goto("/test/account");
  await expect(page.getByText(/by your merchant for approving payouts/)).toBeVisible();
});

test("if the merchant requires codes to sign in, a member without codes can only set them up", async ({
  page,
  service,
  ownMerchant,
  newMember,
}) => {
  const member = await newMember("finance");
  const setRequired = (answer: "yes" | "no") =>
    command(service, "merchants", "set-sign-in-codes", "--merchant", ownMerchant.id, "--required", answer);
  await setRequired("yes");
  await page.goto("/sign-in");
  await fillIn(page, member);
  await expect(page).toHaveURL("/test/account");
  await expect(page.getByText("Set them up to go on.")).toBeVisible();
  await page.goto("/test/payments");
  await expect(page).toHaveURL("/test/account");
  const denied = await page.request.get("/api/export/test/payments");
  expect(denied.status()).toBe(403);
  await untilLive(page);
  await page.getByRole("button", { name: "Set up" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Your password").fill("not the password");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("alert")).toContainText("is not your current password");
  await dialog.getByLabel("Your password").fill(member.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const next = authenticator((await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? "");
  await dialog.getByLabel("One-time code").fill(await next());
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await dialog.getByRole("button", { name: "I’ve saved them" }).click();
  await expect(page).toHaveURL("/test");
  expect((await page.goto("/test/payments"))?.status()).toBe(200);
});
