// Signing in and out, and the front page, which shows who is signed in.
import { randomUUID } from "node:crypto";
import type { APIRequestContext, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { fillIn, type Person, requestSession } from "./members";

const REFUSAL = /We could not sign you in/;
const SESSION_COOKIE = "sluice.session";

async function sessionCookie(page: Page) {
  return (await page.context().cookies()).find(({ name }) => name === SESSION_COOKIE);
}

/** The status of signing in without a page, from an address that the caller chooses. */
async function attempt(request: APIRequestContext, person: Person, address: string): Promise<number> {
  return (await requestSession(request, person, { "x-forwarded-for": address })).status();
}

test("a member signs in, sees address and merchant, and signs out: the cookie is then useless", async ({
  page,
  service,
  ownMerchant,
  newMember,
}) => {
  const member = await newMember("approver,finance");
  await fillIn(page, member);
  await expect(page.getByRole("button", { name: member.email })).toBeVisible();
  await expect(page.getByText(ownMerchant.name, { exact: true })).toBeVisible();
  expect(page.url()).toBe(`${service.baseUrl}/test`);
  const cookie = await sessionCookie(page);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  await page.goto("/sign-in");
  expect(page.url()).toBe(`${service.baseUrl}/test`);
  await page.goto("/");
  await expect(page.getByText(member.email)).toBeVisible();
  await expect(page.getByText(`. ${service.dataDir}/demo.env`)).toBeVisible();
  await expectAccessible(page, 1);

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  expect(await sessionCookie(page)).toBeUndefined();
  if (cookie) await page.context().addCookies([cookie]);
  await page.goto("/test/payouts");
  expect(page.url()).toBe(`${service.baseUrl}/sign-in?next=%2Ftest%2Fpayouts`);
});

test("the address is accepted in any case, and signing in leads back to the requested page", async ({
  page,
  service,
  newMember,
}) => {
  const member = await newMember("approver,finance");
  await page.goto("/live/topups?status=failed");
  await fillIn(page, { ...member, email: member.email.toUpperCase() });
  await expect(page.getByRole("heading", { name: "Top-ups" })).toBeVisible();
  expect(page.url()).toBe(`${service.baseUrl}/live/topups?status=failed`);
});

test("no redirect leads to another site", async ({ page, service, newMember }) => {
  const member = await newMember("finance");
  await page.goto("/sign-in?next=/%09/evil.example/");
  await fillIn(page, member);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  expect(page.url()).toBe(`${service.baseUrl}/test`);
  for (const next of ["//evil.example/", "/%5Cevil.example/", "/%09/evil.example/", "/.//evil.example/"]) {
    await page.goto(`/sign-in?next=${next}`);
    expect(page.url()).toBe(`${service.baseUrl}/test`);
  }
});

test("a wrong password and an unknown address get the same answer and no session", async ({
  page,
  service,
  newMember,
}) => {
  const member = await newMember("approver,finance");
  const texts: (string | null)[] = [];
  for (const person of [
    { ...member, password: "not the password" },
    { ...member, email: `${randomUUID()}@staff.example` },
  ]) {
    await fillIn(page, person);
    const alert = page.getByRole("alert").filter({ hasText: REFUSAL });
    await expect(alert).toBeVisible();
    await expect(page.getByLabel("Password")).toHaveValue("");
    await expect(page.getByLabel("Password")).toBeFocused();
    expect(page.url()).toBe(`${service.baseUrl}/sign-in`);
    texts.push(await alert.textContent());
  }
  expect(texts[0]).toBe(texts[1]);
  expect(await sessionCookie(page)).toBeUndefined();
  await expectAccessible(page, 2);
});

test("after ten failures from one address it is paused for the member, even for the right password; others are not", async ({
  request,
  newMember,
}) => {
  const [member, other] = [await newMember("approver,finance"), await newMember("approver,finance")];
  const wrong = { ...member, password: "not the password" };
  for (let failure = 0; failure < 10; failure += 1) expect(await attempt(request, wrong, "192.0.2.1")).toBe(401);
  expect(await attempt(request, member, "192.0.2.1")).toBe(401);
  expect(await attempt(request, other, "192.0.2.1")).toBe(200);
  expect(await attempt(request, member, "192.0.2.2")).toBe(200);
});

test("after thirty failures from many addresses every unknown browser is paused for the member", async ({
  request,
  newMember,
}) => {
  const member = await newMember("approver,finance");
  const wrong = { ...member, password: "not the password" };
  for (let failure = 0; failure < 30; failure += 1)
    expect(await attempt(request, wrong, `203.0.113.${failure}`)).toBe(401);
  expect(await attempt(request, member, "203.0.113.200")).toBe(401);
});

test("after fifty failures an address is locked, whichever accounts it tries", async ({ request, newMember }) => {
  const member = await newMember("approver,finance");
  for (let failure = 0; failure < 50; failure += 1) {
    expect(await attempt(request, { email: `${failure}@nobody.example`, password: "guess" }, "198.51.100.7")).toBe(401);
  }
  expect(await attempt(request, member, "198.51.100.7")).toBe(401);
  expect(await attempt(request, member, "198.51.100.8")).toBe(200);
});

test("a form without this browser's token signs nobody in", async ({ request, newMember }) => {
  const member = await newMember("approver,finance");
  await request.get("/api/auth/csrf");
  const form = { csrfToken: "0".repeat(64), json: "true", ...member };
  await request.post("/api/auth/callback/credentials", { form });
  const { cookies } = await request.storageState();
  expect(cookies.map(({ name }) => name)).not.toContain(SESSION_COOKIE);
});

test("the front page shows the state of the instance and no secret, and passes WCAG 2.2 AA", async ({
  page,
  service,
}) => {
  const html = await (await page.goto("/"))?.text();
  await expect(page.getByText("Ready, database answers")).toBeVisible();
  await expect(page.getByRole("link", { name: "/openapi.json" })).toBeVisible();
  expect(html).toContain(`curl ${service.baseUrl}/v1/payment_intents`);
  expect(html).not.toMatch(/[ps]k_(?:test|live)_/);
  await expectAccessible(page, 0);
  await page.goto("/sign-in");
  await expectAccessible(page, 3);
});
