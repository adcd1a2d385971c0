// Live updates of open pages: by the stream, and by polling if no stream gets through.
import type { Page } from "@playwright/test";
import { paymentBody } from "../rest/bodies";
import { expect, test } from "./fixtures";
import { signInTo } from "./members";
import { createPayout } from "./payouts";

/** Disables polling: whatever still appears came by the stream. */
const withoutAsking = (page: Page) =>
  page.addInitScript(() => {
    window.setInterval = (() => 0) as unknown as typeof window.setInterval;
  });
const withoutStream = (page: Page) => page.route("**/api/trpc/changes.stream*", (route) => route.abort());

for (const [how, prepare] of [
  ["the stream tells", withoutAsking],
  ["the page asks, where no stream gets through", withoutStream],
] as const) {
  test(`${how}: new payments are announced and appear only on request; a shown row changes in place`, async ({
    page,
    ownApi,
    openAs,
  }) => {
    await prepare(page);
    const first = await ownApi.post("/payment_intents", paymentBody());
    await openAs("developer", "/test/payments");
    await expect(page.getByRole("cell", { name: "Waiting for payer" })).toBeVisible();
    await ownApi.post("/sandbox/simulate", { id: (first.body as { id: string }).id, outcome: "succeeded" });
    await expect(page.getByRole("cell", { name: "Succeeded" })).toBeVisible();
    const before = await page.getByRole("row").nth(1).boundingBox();
    await ownApi.post("/payment_intents", paymentBody({ amount: "777700" }));
    const news = page.getByRole("button", { name: "1 new payment" });
    await expect(news).toBeVisible();
    expect(await page.getByRole("row").nth(1).boundingBox(), "rows stay where they are").toEqual(before);
    await expect(page.getByRole("row")).toHaveCount(2);
    await news.click();
    await expect(page.getByRole("row").nth(1)).toContainText("7,777.00 BRL");
  });
}

test("while every refresh fails, the page keeps its content and the queue's number, and says since when", async ({
  page,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver");
  await createPayout(ownApi, "First vendor");
  await signInTo(page, approver, "/test/payouts?queue=mine");
  const badge = page.getByRole("link", { name: "Payouts 1 waiting for you" });
  await expect(badge).toBeVisible();
  await page.route("**/api/trpc/**", (route) => route.fulfill({ status: 503, body: "" }));
  // The stream, which is still open, reports it, and the page asks.
  await createPayout(ownApi, "Another vendor");
  await expect(page.getByText(/^Not up to date since \d\d:\d\d, trying again$/)).toBeVisible();
  await expect(badge).toBeVisible();
  await expect(page.getByRole("row", { name: "First vendor" })).toBeVisible();
  await page.unroute("**/api/trpc/**");
  await expect(page.getByText(/^Not up to date/)).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Payouts 2 waiting for you" })).toBeVisible();
});

test("the stream is for members, and carries only the signal of a change", async ({ page, openAs }) => {
  const streamUrl = `/api/trpc/changes.stream?input=${encodeURIComponent(JSON.stringify({ environment: "test" }))}`;
  const headers = { accept: "text/event-stream" };
  const refused = await (await page.request.get(streamUrl, { headers })).text();
  expect(refused).toContain("UNAUTHORIZED");
  expect(refused).not.toContain('"changed"');
  await openAs("finance", "/test/payments");
  const told = await page.evaluate(
    (url) =>
      new Promise<string>((resolve) => {
        const stream = new EventSource(url);
        stream.onmessage = ({ data }: MessageEvent<string>) => {
          stream.close();
          resolve(data);
        };
      }),
    streamUrl,
  );
  expect(JSON.parse(told)).toBe("changed");
});
