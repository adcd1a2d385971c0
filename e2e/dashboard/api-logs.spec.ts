import { paymentBody } from "../rest/bodies";
import { expect, test } from "./fixtures";

test("a developer finds a rejected request by its status, and reads both bodies without personal data", async ({
  page,
  ownApi,
  openAs,
}) => {
  await ownApi.post("/payment_intents", paymentBody());
  const customer = { name: "Ana Souza", email: "ana@example.com" };
  const refused = await ownApi.post("/payment_intents", { ...paymentBody(), amount: "nothing", customer });
  const id = refused.headers.get("request-id") ?? "";
  await openAs("developer", "/test/developers/logs");
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page.getByText(id)).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await expect(page.getByRole("row", { name: /201/ })).toHaveCount(1);
  await page.getByRole("button", { name: "Refused 4xx" }).click();
  await expect(page).toHaveURL("/test/developers/logs?status_class=4");
  await expect(page.getByRole("row", { name: /201/ })).toHaveCount(0);
  await page.getByRole("link", { name: "POST /v1/payment_intents" }).click();
  await expect(page).toHaveURL(`/test/developers/logs/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("400");
  await expect(page.getByText('"amount": "nothing"')).toBeVisible();
  await expect(page.getByText("validation_failed")).toBeVisible();
  const address = page.getByText("Address", { exact: true }).locator("xpath=following-sibling::dd/span");
  await expect(address).toHaveText(/^(127\.0\.0\.1|::1)$/);
  await expect(address).toHaveCSS("font-family", /Mono/);
  for (const secret of Object.values(customer)) expect(await page.content()).not.toContain(secret);
  expect((await page.goto(`/live/developers/logs/${id}`))?.status()).toBe(404);
});
