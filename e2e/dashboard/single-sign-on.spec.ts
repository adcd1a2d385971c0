// Single sign-on with a real OpenID provider: signing in, proving acts by a fresh sign-in, and who is refused.
import type { APIRequestContext, Page } from "@playwright/test";
import { createMerchant, type Merchant } from "../support/merchant";
import { type OpenIdProvider, startOpenIdProvider } from "../support/openid-provider";
import { command } from "../support/operator";
import { type Service, startService } from "../support/service";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { proofDialog, untilLive } from "./members";

let provider: OpenIdProvider;
let service: Service;
let merchant: Merchant;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  test.setTimeout(120_000);
  service = await startService();
  provider = await startOpenIdProvider(service.baseUrl);
  await service.restart(provider.env);
  merchant = await createMerchant(service);
});
test.afterAll(async () => {
  await service?.dispose();
  await provider?.stop();
});

/** Invites a member, who never opens the link, and gives them an account at the provider. */
async function invite(roles: string): Promise<string> {
  const email = `${crypto.randomUUID()}@staff.example`;
  await command(service, "members", "create", "--merchant", merchant.id, "--email", email, "--roles", roles);
  provider.addPerson(email, { email, isVerified: true });
  return email;
}

/** Fills in the provider's own form. */
async function signInThere(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder(/login/i).fill(login);
  await page.getByPlaceholder(/password/i).fill("anything");
  await page.getByRole("button", { name: /sign-in|continue|submit/i }).click();
}

async function signInBySingleSignOn(page: Page, login: string, path = "/live/overview"): Promise<void> {
  await page.goto(`${service.baseUrl}/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByRole("button", { name: "Sign in with Acme" }).click();
  await signInThere(page, login);
}

/** Chooses a password by a one-time link, as anybody who has the link can; returns the password. */
async function choosePassword(request: APIRequestContext, email: string): Promise<string> {
  const member = ["--merchant", merchant.id, "--email", email];
  const { link } = await command<{ link: string }>(service, "members", "reset-password", ...member);
  const password = crypto.randomUUID();
  const chosen = await request.post(`${service.baseUrl}/api/one-time-link/choose-password`, {
    data: { token: new URL(link).hash.slice(1), password },
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect(chosen.ok()).toBe(true);
  return password;
}

async function beginInvitation(page: Page): Promise<void> {
  await page.goto(`${service.baseUrl}/live/members`);
  await untilLive(page);
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog", { name: /Invite/ });
  await dialog.getByLabel("Email").fill(`${crypto.randomUUID()}@staff.example`);
  await dialog.getByRole("checkbox", { name: /finance/i }).check();
  await dialog.getByRole("button", { name: "Invite member" }).click();
}

const isInvited = (page: Page) => page.getByText(/shown only once|This link/i).first();

/** Opens the second window, without waiting for the provider's page in it. */
async function openAgain(page: Page): Promise<Page> {
  const [again] = await Promise.all([
    page.waitForEvent("popup"),
    proofDialog(page)
      .getByRole("button", { name: /Sign in again|Open the window again/ })
      .click(),
  ]);
  return again;
}

test("an invited member signs in with the provider, and confirms an act in live by signing in there again", async ({
  page,
}) => {
  const email = await invite("owner");
  await page.goto(`${service.baseUrl}/sign-in`);
  await expectAccessible(page, 0);
  await signInBySingleSignOn(page, email, "/live/account");
  await page.waitForURL(`${service.baseUrl}/live/account`);
  await expect(page.getByRole("heading", { name: "Single sign-on" })).toBeVisible();
  await expect(page.getByLabel("Current password")).toHaveCount(0);

  await beginInvitation(page);
  await expect(proofDialog(page).getByText("Sign in again with Acme")).toBeVisible();
  const again = await openAgain(page);
  // The provider asks for the credentials although the browser is signed in there.
  await signInThere(again, email);
  await expect(isInvited(page)).toBeVisible();
  await expect.poll(() => again.isClosed()).toBe(true);
});

test("a stolen session can neither act nor add a passkey: both take a new sign-in of the member", async ({ page }) => {
  const [email, colleague] = [await invite("owner"), await invite("admin")];
  await signInBySingleSignOn(page, email);
  await page.waitForURL(`${service.baseUrl}/live/overview`);
  const headers = { "sec-fetch-site": "same-origin" };
  const acts = [
    ["members.invite", { environment: "live", email: "straw@staff.example", roles: ["approver"] }],
    ["account.beginPasskey", {}],
    ["account.beginTotp", {}],
    ["account.beginPasskey", { freshSignIn: "x".repeat(43) }],
  ] as const;
  for (const [path, data] of acts) {
    const answer = await page.request.post(`${service.baseUrl}/api/trpc/${path}`, { data, headers });
    expect([answer.status(), await answer.text()]).toEqual([412, expect.stringContaining("fresh_sign_in_required")]);
  }

  // The browser is signed in at the provider, which is not enough: max_age=0 was removed on the way.
  await page
    .context()
    .route(/signin\/openid\?max_age=0$/, (route) =>
      route.continue({ url: route.request().url().replace("?max_age=0", "") }),
    );
  await beginInvitation(page);
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  const silent = await openAgain(page);
  await expect(silent.getByRole("main").getByRole("alert")).toContainText("was not accepted");
  await silent.close();
  await page.context().unroute(/signin\/openid\?max_age=0$/);

  const other = await openAgain(page);
  await signInThere(other, colleague);
  await expect(other.getByRole("main").getByRole("alert")).toContainText("was not accepted");
  await expect(proofDialog(page).getByRole("alert")).toContainText("was not accepted");
  await expect(isInvited(page)).toHaveCount(0);
});

test("a person with members in several merchants chooses one; an invitation to another diverts nobody", async ({
  page,
}) => {
  const email = await invite("finance");
  await signInBySingleSignOn(page, email);
  await page.waitForURL(`${service.baseUrl}/live/overview`);
  await page.context().clearCookies();
  const other = await createMerchant(service);
  const invitation = ["--merchant", other.id, "--email", email, "--roles", "owner"];
  await command(service, "members", "create", ...invitation);

  await signInBySingleSignOn(page, email, "/live/account");
  await page.waitForURL(/\/sign-in\/merchant\?/);
  await expectAccessible(page, 0);
  const choices = page.getByRole("main").getByRole("listitem");
  await expect(choices).toHaveCount(2);
  await expect(choices.filter({ hasText: merchant.id })).not.toContainText("not signed in here");
  await expect(choices.filter({ hasText: other.id })).toContainText("You have not signed in here");
  await choices.filter({ hasText: merchant.id }).getByRole("button").click();
  await page.waitForURL(`${service.baseUrl}/live/account`);
  expect((await page.context().cookies()).some(({ name }) => name.endsWith("sluice.choice"))).toBe(false);
  await page.goto(`${service.baseUrl}/sign-in/merchant`);
  await expect(page).not.toHaveURL(/merchant/);
});

test("a member who has a password connects with it once, so that nobody shares the account in silence", async ({
  page,
  request,
}) => {
  const email = await invite("finance");
  const password = await choosePassword(request, email);
  await signInBySingleSignOn(page, email, "/live/account");
  await expect(page.getByRole("heading", { name: "Connect your account" })).toBeVisible();
  await expectAccessible(page, 0);
  const [field, enter] = [page.getByLabel("Password"), page.getByRole("button", { name: "Spec Merchant" })];
  await field.fill("not the password");
  await enter.click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("The password is wrong");
  await field.fill(password);
  await enter.click();
  await page.waitForURL(`${service.baseUrl}/live/account`);
  await page.context().clearCookies();
  await signInBySingleSignOn(page, email, "/live/account");
  await page.waitForURL(`${service.baseUrl}/live/account`);
});

test("strangers, unverified addresses and disabled members are told so, and no session begins", async ({ page }) => {
  const email = await invite("finance");
  provider.addPerson("stranger", { email: "stranger@staff.example", isVerified: true });
  provider.addPerson("unverified", { email, isVerified: false });
  for (const login of ["stranger", "unverified"]) {
    await signInBySingleSignOn(page, login);
    await expect(page.getByRole("main").getByRole("alert")).toContainText("You are not an active member");
    await page.context().clearCookies();
  }
  await signInBySingleSignOn(page, email);
  await page.waitForURL(`${service.baseUrl}/live/overview`);
  await page.context().clearCookies();
  await command(service, "members", "disable", "--merchant", merchant.id, "--email", email);
  await signInBySingleSignOn(page, email);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("You are not an active member");
  expect((await page.context().cookies()).some(({ name }) => name.endsWith("sluice.session"))).toBe(false);
});

test("a provider that does not answer is a message, not a fault", async ({ page }) => {
  await provider.stop();
  await page.goto(`${service.baseUrl}/sign-in`);
  await page.getByRole("button", { name: "Sign in with Acme" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Single sign-on did not work");
});

test("with OIDC_ONLY nobody signs in with a password", async ({ page, request }) => {
  const email = await invite("finance");
  const person = { email, password: await choosePassword(request, email) };
  await service.restart({ OIDC_ONLY: "true" });
  await page.goto(`${service.baseUrl}/sign-in`);
  await expect(page.getByRole("button", { name: "Sign in with Acme" })).toBeVisible();
  await expect(page.getByLabel("Password")).toHaveCount(0);
  const { csrfToken } = (await (await page.request.get(`${service.baseUrl}/api/auth/csrf`)).json()) as {
    csrfToken: string;
  };
  const answer = await page.request.post(`${service.baseUrl}/api/auth/callback/credentials`, {
    form: { csrfToken, ...person, json: "true" },
  });
  expect(answer.status()).not.toBe(200);
  expect((await page.context().cookies()).some(({ name }) => name.endsWith("sluice.session"))).toBe(false);
});
