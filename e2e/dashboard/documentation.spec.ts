// The documentation that the instance serves: guides, their search, and the API reference with calls to this instance.
import type { Page } from "@playwright/test";
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { expectFits } from "./widths";

/** Collects what a page asks of other origins, and its errors, among them what its content policy stops. */
function watch(page: Page, origin: string): { readonly requests: string[]; readonly faults: string[] } {
  const seen = { requests: [] as string[], faults: [] as string[] };
  page.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (asked !== origin && protocol !== "data:") seen.requests.push(request.url());
  });
  page.on("pageerror", ({ message }) => seen.faults.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") seen.faults.push(message.text());
  });
  return seen;
}

test("from the front page to the quickstart, without signing in; every document is there", async ({
  page,
  service,
}) => {
  const seen = watch(page, service.baseUrl);
  await page.goto("/");
  await page.getByRole("link", { name: "Documentation" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Documentation" })).toBeVisible();
  await expectFits(page);
  await expectAccessible(page, 0);
  const documents = page.getByRole("main").locator('li a[href^="/docs/"]');
  const paths = await documents.evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) expect((await page.request.get(path)).status(), path).toBe(200);
  await page.getByRole("link", { name: "Start with the quickstart" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Quickstart" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Receive webhooks" })).toBeVisible();
  await expectFits(page);
  await expectAccessible(page, 1);
  await expect(page.getByRole("button", { name: /^Copy the commands/ }).first()).toBeVisible();
  expect(seen).toEqual({ requests: [], faults: [] });
});

test("a table that is wider than the window is scrolled, not the page", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/docs/operating");
  const table = page.getByRole("table").first().locator("..");
  const excess = (element: Element) => element.scrollWidth - element.clientWidth;
  expect(await table.evaluate(excess)).toBeGreaterThan(0);
  expect(await page.locator("html").evaluate(excess)).toBe(0);
  await table.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  await expectAccessible(page, 3);
});

test("the search leads to the section that has the words, and says so if none has them", async ({ page }) => {
  await page.goto("/docs");
  const search = page.getByRole("searchbox", { name: "Search the documentation" });
  await search.fill("tolerate clock signature");
  await search.press("Enter");
  await expect(page).toHaveURL(/\/docs\/search\?q=/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Search: tolerate clock signature");
  await search.fill("Verify it");
  await search.press("Enter");
  await page.getByRole("main").getByRole("link", { name: "Verify it" }).click();
  await expect(page).toHaveURL("/docs/webhooks#verify-it");
  await expect(page.getByRole("heading", { name: "Verify it" })).toBeInViewport();
  await search.fill("xyzzyplugh");
  await search.press("Enter");
  await expect(page.getByText("No document contains all of these words.")).toBeVisible();
  await expectAccessible(page, 2);
});

test("an unknown document is answered 404", async ({ page }) => {
  for (const path of ["/docs/nothing", "/docs/decisions/README", "/docs/..%2fREADME", "/docs/quickstart/more"])
    expect((await page.request.get(path)).status(), path).toBe(404);
});

test("the reference describes an operation, calls it with a test key, and asks nothing of other sites", async ({
  page,
  service,
  ownMerchant,
  ownApi,
}) => {
  const seen = watch(page, service.baseUrl);
  await page.goto("/docs/reference#tag/payment-intents/createPaymentIntent");
  await expect(page.getByRole("heading", { name: "Create a payment intent" })).toBeInViewport();
  await expectFits(page);
  await page
    .getByRole("region", { name: "Create a payment intent" })
    .getByRole("button", { name: /Test Request/ })
    .click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Authentication")).toBeVisible();
  const { publicKey, secretKey } = ownMerchant.keys.test;
  // Scalar gives the field no label of its own.
  await dialog.getByText("Username").locator("xpath=following::*[@role='textbox'][1]").pressSequentially(publicKey);
  await dialog.getByRole("textbox", { name: "Password" }).fill(secretKey);
  const answered = page.waitForResponse((response) => response.url().endsWith("/v1/payment_intents"));
  await dialog.getByRole("button", { name: /^Send/ }).first().click();
  const answer = await answered;
  expect(answer.status()).toBe(201);
  const { id } = (await answer.json()) as PaymentIntentResource;
  expect((await ownApi.get(`/payment_intents/${id}`)).status).toBe(200);
  expect(seen).toEqual({ requests: [], faults: [] });
});

test("members find the documentation in their menu, and people who sign in below the form", async ({
  page,
  openAs,
}) => {
  await page.goto("/sign-in");
  await expect(page.getByRole("link", { name: "documentation" })).toHaveAttribute("href", "/docs");
  const { email } = await openAs("developer", "/test");
  await page.getByRole("button", { name: email }).click();
  await page.getByRole("link", { name: "Documentation" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Documentation" })).toBeVisible();
});
