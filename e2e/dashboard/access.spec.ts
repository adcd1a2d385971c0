// Access: roles, sessions ended elsewhere, environments, other sites, security headers.
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { signInTo } from "./members";
import { createPayout, readPayout } from "./payouts";

/** Calls a procedure like the page's own scripts. */
function callAs(page: Page, procedure: string, input: object, headers: Record<string, string> = {}) {
  return page.request.post(`/api/trpc/${procedure}`, {
    data: input,
    headers: { "sec-fetch-site": "same-origin", ...headers },
  });
}

for (const role of ["finance", "developer"]) {
  test(`${role} sees payouts and no controls to decide on them, and the procedure rejects the call too`, async ({
    page,
    ownApi,
    openAs,
  }) => {
    const { id } = await createPayout(ownApi, "Vendor");
    await openAs(role, "/test/payouts");
    await expect(page.getByRole("row", { name: /Vendor/ })).toBeVisible();
    await expect(page.getByRole("button", { name: /^(Approve|Cancel) / })).toHaveCount(0);
    await expect(page.getByRole("checkbox")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Export CSV" })).toHaveCount(role === "finance" ? 1 : 0);
    for (const procedure of ["payoutIntents.approve", "payoutIntents.cancel"]) {
      const answer = await callAs(page, procedure, { environment: "test", id, digest: "" });
      expect(answer.status()).toBe(403);
      expect(await answer.text()).toContain('"reason":"forbidden"');
    }
    const exported = await page.request.get("/api/export/test/payouts");
    expect(exported.status()).toBe(role === "finance" ? 200 : 403);
    expect(await readPayout(ownApi, id)).toMatchObject({ status: "requires_approval" });
  });
}

test("a session that is ended elsewhere fails at the next call; the page's content stays until the reader leaves", async ({
  page,
  ownApi,
  otherBrowser,
  newMember,
}) => {
  const member = await newMember("approver");
  const { id } = await createPayout(ownApi, "Vendor");
  await signInTo(page, member, "/test/payouts?queue=mine");
  await page.getByRole("button", { name: "Approve 25.04 BRL to Vendor" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  const elsewhere = await otherBrowser(member, "/test/payouts");
  await elsewhere.getByRole("button", { name: member.email }).click();
  await elsewhere.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(elsewhere).toHaveURL(/\/sign-in/);

  expect((await callAs(page, "payoutIntents.approve", { environment: "test", id, digest: "" })).status()).toBe(401);
  expect((await page.request.get("/api/export/test/payouts")).status()).toBe(401);
  const over = page.getByRole("dialog", { name: "You are signed out" });
  await expect(over).toBeVisible();
  expect(await readPayout(ownApi, id)).toMatchObject({ status: "requires_approval" });
  await over.getByRole("link", { name: "Sign in again" }).click();
  await expect(page).toHaveURL("/sign-in?next=%2Ftest%2Fpayouts%3Fqueue%3Dmine");
});

test("the switch leads to the same list of the other environment, which shows nothing of this one", async ({
  page,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver,finance");
  const { id } = await createPayout(ownApi, "Vendor");
  await signInTo(page, approver, `/test/payouts/${id}`);
  await expect(page.getByText("Test environment: no real money moves here.")).toBeVisible();
  await page.getByRole("link", { name: "Live", exact: true }).click();
  await expect(page).toHaveURL("/live/payouts");
  await expect(page.getByText("Live environment: real money moves here.")).toBeVisible();
  await expect(page.getByText("Test environment: no real money moves here.")).toHaveCount(0);
  await expect(page.getByText("No payouts yet")).toBeVisible();
  await expect(page.getByText("Test environment")).toHaveCount(0);
  expect((await page.goto(`/live/payouts/${id}`))?.status()).toBe(404);
  await page.getByRole("link", { name: "Look in test" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("25.04");
  expect((await page.goto("/prod/payouts"))?.status()).toBe(404);
});

test("an id pasted into the search leads to its object, from any page", async ({ page, ownApi, newMember }) => {
  const approver = await newMember("approver,finance");
  const { id } = await createPayout(ownApi, "Vendor");
  await signInTo(page, approver, "/test/webhooks");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search by reference, name, amount or id" }).fill(` ${id} `);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/test/payouts/${id}`);
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await expect(page).toHaveURL("/test/topups");
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys.getByText("Top-ups")).toBeVisible();
  await expect(keys.getByText("Members")).toHaveCount(0);
});

test("a member without the role for a page reads whom to ask, not that the page does not exist", async ({
  page,
  openAs,
}) => {
  await openAs("approver", "/test/webhooks");
  await expect(page.getByText("webhook-signature: v1,").first()).toBeVisible();
  await page.getByRole("button", { name: "payout_intent.cancelled" }).click();
  await expect(page.getByText('"type": "payout_intent.cancelled"')).toBeVisible();
  for (const [path, label] of [
    ["members", "Members"],
    ["webhooks/endpoints", "Webhook endpoints"],
  ] as const) {
    expect((await page.goto(`/test/${path}`))?.status()).toBe(404);
    await expect(page.getByText(`Your role (approver) can’t open ${label}. Ask an owner or admin.`)).toBeVisible();
    await expect(page.getByRole("link", { name: "Look in live" })).toHaveCount(0);
  }
});

test("other sites' pages cannot write, batches are bounded, and answers are not cached", async ({
  page,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver,finance");
  const { id } = await createPayout(ownApi, "Vendor");
  await signInTo(page, approver, "/test/payouts");
  for (const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }]) {
    const refused = await callAs(page, "payoutIntents.approve", { environment: "test", id, digest: "" }, headers);
    expect(refused.status()).toBe(403);
  }
  expect(await readPayout(ownApi, id)).toMatchObject({ status: "requires_approval" });

  const eleven = Array.from({ length: 11 }, () => "session.me").join(",");
  expect((await page.request.get(`/api/trpc/${eleven}?batch=1`)).status()).toBe(400);
  const me = await page.request.get("/api/trpc/session.me");
  expect(me.status()).toBe(200);
  expect(me.headers()["cache-control"]).toBe("no-store");
  const huge = await callAs(page, "payoutIntents.cancel", { environment: "test", id, reason: "x".repeat(70_000) });
  expect(huge.status()).toBe(413);
});

test("pages run only their own scripts, by a fresh nonce, and are neither cached nor framed", async ({
  page,
  openAs,
}) => {
  await openAs("approver,finance", "/test/payouts");
  const nonces = new Set<string>();
  for (let load = 0; load < 2; load += 1) {
    const headers = (await page.goto("/test/payouts"))?.headers() ?? {};
    const policy = headers["content-security-policy"] ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers["cache-control"]).toContain("no-store");
    nonces.add(/'nonce-([^']+)'/.exec(policy)?.[1] ?? "");
  }
  expect(nonces.size).toBe(2);
});
