// Live updates of open pages: by the stream, and by polling if no stream gets through.
import type { Page } from "@playwright/test";
import { paymentBody } from "../rest/bodies";
import { expect, test } from "./fixtures";

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
    await ownApi.post("/payment_intents", paymentBody({ amount: "777700" }));
    const news = page.getByRole("button", { name: "1 new payment" });
    await expect(news).toBeVisible();
    await expect(page.getByRole("row")).toHaveCount(2);
    await news.click();
    await expect(page.getByRole("row").nth(1)).toContainText("7,777.00 BRL");
  });
}

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
