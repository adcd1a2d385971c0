// Members: invited by a link that is shown once, given other roles, disabled, given a link for a new password.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { fillIn, signInTo, untilLive } from "./members";

/** Reads the link in the open dialog as its path: the service behind BASE_URL may have another address in tests. */
async function shownLink(page: Page): Promise<string> {
  const shown = page.getByRole("dialog").getByText(/\/welcome#/);
  await expect(shown).toBeVisible();
  const link = new URL((await shown.textContent()) ?? "");
  return link.pathname + link.hash;
}

/** Invites a member with the roles finance and approver on the open members page; returns the path of the link. */
async function invite(page: Page, email: string): Promise<string> {
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Name").fill("Ana Souza");
  await expect(dialog.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await expect(dialog.getByRole("button", { name: "Invite member" })).toBeDisabled();
  await dialog.getByLabel(/^owner/).check();
  await expect(dialog.getByText("An owner can do everything")).toBeVisible();
  await dialog.getByLabel(/^owner/).uncheck();
  await dialog.getByLabel(/^finance/).check();
  await dialog.getByLabel(/^approver/).check();
  await dialog.getByRole("button", { name: "Invite member" }).click();
  await expect(dialog.getByRole("heading", { name: "Member invited" })).toBeVisible();
  const link = await shownLink(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  return link;
}

async function choose(page: Page, link: string, password: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password again").fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
}

test("an owner invites a member and never sees the password; roles apply at the next call, disabling immediately", async ({
  page,
  openAs,
  browser,
  service,
}) => {
  test.setTimeout(240_000);
  await openAs("owner", "/test/members");
  const person = { email: `${randomUUID()}@staff.example`, password: randomUUID() };
  const link = await invite(page, person.email);
  await expect(page.getByRole("row", { name: person.email })).toContainText("No password yet");
  await expect(page.getByRole("row", { name: person.email })).toContainText("Ana Souza");
  expect(await page.content()).not.toContain(link.slice(-43));

  const context = await browser.newContext({ baseURL: service.baseUrl });
  const theirs = await context.newPage();
  const sent: string[] = [];
  theirs.on("request", (request) => sent.push(request.url(), request.headers().referer ?? ""));
  await theirs.goto(link);
  await expect(theirs.getByLabel("Email")).toHaveValue(person.email);
  await expectAccessible(theirs, 0);
  await choose(theirs, link, person.password);
  await expect(theirs.getByText("Your password is set.")).toBeVisible();
  expect(sent.filter((text) => text.replace(/#.*/, "").includes(link.slice(-43)))).toEqual([]);
  await theirs.getByRole("link", { name: "Sign in" }).click();
  await fillIn(theirs, person);
  await expect(theirs.getByRole("navigation", { name: "Dashboard" })).toBeVisible();
  expect((await theirs.goto("/test/audit"))?.status()).toBe(200);

  await page.reload();
  await untilLive(page);
  await expect(page.getByRole("row", { name: person.email })).toContainText("approver, finance");
  await page.getByRole("button", { name: `Manage ${person.email}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^finance/).uncheck();
  await dialog.getByRole("button", { name: "Save roles" }).click();
  await expect(dialog).toHaveCount(0);
  expect((await theirs.goto("/test/audit"))?.status()).toBe(404);
  expect((await theirs.goto("/test/payouts"))?.status()).toBe(200);

  await page.getByRole("button", { name: `Manage ${person.email}` }).click();
  await dialog.getByRole("button", { name: "Disable" }).click();
  const question = page.getByRole("dialog", { name: "Disable the member?" });
  await expect(question).toContainText(`Ana Souza (${person.email}) has 1 open session`);
  await expectAccessible(page, 0);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("row", { name: person.email })).toContainText("Active");
  await dialog.getByRole("button", { name: "Disable" }).click();
  await question.getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("row", { name: person.email })).toContainText("Disabled");
  await theirs.goto("/test/payouts");
  await expect(theirs).toHaveURL(/\/sign-in/);
  await context.close();
});

test("a link works once, and a reset ends the old password and session at once", async ({
  page,
  newMember,
  otherBrowser,
}) => {
  const [owner, member] = [await newMember("owner"), await newMember("finance")];
  const theirs = await otherBrowser(member, "/test/payments");
  await signInTo(page, owner, "/test/members");
  await page.getByRole("button", { name: `Manage ${member.email}` }).click();
  await page.getByRole("button", { name: "Reset password" }).click();
  const question = page.getByRole("dialog", { name: "Reset the password?" });
  await question.getByRole("button", { name: "Reset password" }).click();
  const link = await shownLink(page);
  await theirs.goto("/test/payouts");
  await expect(theirs).toHaveURL(/\/sign-in/);
  await fillIn(theirs, member);
  await expect(theirs.getByRole("main").getByRole("alert")).toBeVisible();

  const password = randomUUID();
  await choose(theirs, link, "too short");
  await expect(theirs.getByText("Your password is set.")).toHaveCount(0);
  await choose(theirs, link, password);
  await expect(theirs.getByText("Your password is set.")).toBeVisible();
  await theirs.reload();
  await expect(theirs.getByRole("main").getByRole("alert")).toContainText("This link does not work");
  await theirs.goto("/sign-in");
  await fillIn(theirs, { ...member, password });
  await expect(theirs.getByRole("navigation", { name: "Dashboard" })).toBeVisible();
});

test("forms of other sites cannot use a link, and the page of links is not cached or sent as referrer", async ({
  request,
}) => {
  const data = { token: "0".repeat(43), password: "seven green lamps" };
  for (const form of ["look-up", "choose-password"]) {
    const url = `/api/one-time-link/${form}`;
    const foreign = await request.post(url, { data, headers: { "sec-fetch-site": "cross-site" } });
    expect([form, foreign.status()]).toEqual([form, 403]);
    const unknown = await request.post(url, { data, headers: { "sec-fetch-site": "same-origin" } });
    expect([form, unknown.status(), unknown.headers()["cache-control"]]).toEqual([form, 404, "no-store"]);
  }
  const page = await request.get("/welcome");
  expect(page.headers()).toMatchObject({ "referrer-policy": "no-referrer", "x-robots-tag": "noindex" });
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

test("a member gets other roles in test than in live, which open no page of live", async ({
  page,
  openAs,
  newMember,
  otherBrowser,
}) => {
  const colleague = await newMember("finance");
  await openAs("owner", "/test/members");
  await page.getByRole("button", { name: `Manage ${colleague.email}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Other roles than in live").check();
  await dialog
    .getByRole("group", { name: "Roles in test" })
    .getByLabel(/^developer/)
    .check();
  await expectAccessible(page, 0);
  await dialog.getByRole("button", { name: "Save test roles" }).click();
  await expect(page.getByRole("row", { name: colleague.email })).toContainText("in test: developer");
  const theirs = await otherBrowser(colleague, "/test/developers/keys");
  expect((await theirs.goto("/live/developers/keys"))?.status()).toBe(404);
  expect((await theirs.goto("/test/wallet"))?.status()).toBe(404);
  expect((await theirs.goto("/live/wallet"))?.status()).toBe(200);
});

test("an owner sees how members sign in, ends a member's sessions, and revokes an invitation", async ({
  page,
  newMember,
  openAs,
  otherBrowser,
}) => {
  const member = await newMember("finance");
  const theirs = await otherBrowser(member, "/test/payments");
  await openAs("owner", "/test/members");
  const row = page.getByRole("row", { name: member.email });
  await expect(row.getByRole("cell").nth(3)).toContainText("None");
  await expect(row.getByRole("cell").nth(5)).toHaveText(/^1/);
  await page.getByRole("button", { name: `Manage ${member.email}` }).click();
  await page.getByRole("button", { name: "End all sessions" }).click();
  const question = page.getByRole("dialog", { name: "End all sessions?" });
  await expect(question).toContainText("1 open session");
  await question.getByRole("button", { name: "End all sessions" }).click();
  await expect(row.getByRole("cell").nth(5)).toHaveText(/^0/);
  await theirs.goto("/test/payouts");
  await expect(theirs).toHaveURL(/\/sign-in/);

  const email = `${randomUUID()}@staff.example`;
  const link = await invite(page, email);
  await expect(page.getByRole("row", { name: email })).toContainText("Link works until");
  await page.getByRole("button", { name: `Manage ${email}` }).click();
  await page.getByRole("button", { name: "Revoke link" }).click();
  await expect(page.getByRole("row", { name: email })).toContainText("No link works");
  await theirs.goto(link);
  await expect(theirs.getByRole("main").getByRole("alert")).toContainText("This link does not work");
});
