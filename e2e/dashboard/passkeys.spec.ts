// Passkeys with Chromium's virtual authenticator: adding one, signing in with it, confirming acts, and removing it.
import type { CDPSession, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { proofDialog, signInTo } from "./members";
import { createPayout, readPayout } from "./payouts";

interface VirtualAuthenticator {
  /** Whether the person passes the check of the device, such as a fingerprint. */
  verifyPerson(isVerified: boolean): Promise<void>;
}

async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return {
    verifyPerson: async (isUserVerified) => {
      await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
  };
}

async function addPasskey(page: Page, password: string): Promise<void> {
  await page.goto("/test/account");
  await page.getByRole("button", { name: "Add a passkey…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name").fill("Laptop");
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Remove Laptop" })).toBeVisible();
}

async function signOut(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: email }).click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL(/\/(sign-in)?$/);
}

test("a member adds a passkey, signs in with it alone, and approves a payout with it", async ({
  page,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver");
  const { id } = await createPayout(ownApi, "Vendor");
  const authenticator = await addAuthenticator(page);
  await signInTo(page, approver, "/test/account");
  await addPasskey(page, approver.password);
  await expectAccessible(page, 0);
  await signOut(page, approver.email);

  await page.goto("/sign-in?next=/live/payouts");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL("/live/payouts");

  // Members are the same in both environments, so an act on them always takes a proof.
  await page.goto("/test/payouts?queue=mine");
  await page.getByRole("button", { name: "Approve 25.04 BRL to Vendor" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Approve/ })
    .click();
  await expect.poll(async () => (await readPayout(ownApi, id)).status).not.toBe("requires_approval");

  await page.goto("/test/account");
  await page.getByRole("button", { name: "Remove Laptop" }).click();
  await page
    .getByRole("dialog", { name: "Remove Laptop?" })
    .getByRole("button", { name: "Remove", exact: true })
    .click();
  await authenticator.verifyPerson(false);
  await proofDialog(page).getByRole("button", { name: "Use your passkey" }).click();
  await expect(proofDialog(page).getByText("The passkey did not answer.")).toBeVisible();
  await authenticator.verifyPerson(true);
  await proofDialog(page).getByRole("button", { name: "Use your passkey" }).click();
  await expect(page.getByRole("button", { name: "Remove Laptop" })).toHaveCount(0);
});

test("an act in live takes the passkey, and a stolen session without it gets nowhere", async ({ page, openAs }) => {
  await addAuthenticator(page);
  const admin = await openAs("admin", "/live/account");
  await addPasskey(page, admin.password);
  const invite = { environment: "live", email: "straw@shop.example", roles: ["approver"], password: admin.password };
  const headers = { "sec-fetch-site": "same-origin" };
  const stolen = await page.request.post("/api/trpc/members.invite", { data: invite, headers });
  expect([stolen.status(), await stolen.text()]).toEqual([412, expect.stringContaining("passkey_required")]);

  await page.goto("/live/members");
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog", { name: /Invite/ });
  await dialog.getByLabel("Email").fill(`${crypto.randomUUID()}@shop.example`);
  await dialog.getByRole("checkbox", { name: /finance/i }).check();
  await dialog.getByRole("button", { name: "Invite member" }).click();
  await proofDialog(page).getByRole("button", { name: "Use your passkey" }).click();
  await expect(page.getByText(/shown only once|This link/i).first()).toBeVisible();
});

test("a passkey of nobody here is refused with a way on", async ({ page }) => {
  await addAuthenticator(page);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("alert").getByText(/could not sign you in with a passkey/)).toBeVisible();
});
