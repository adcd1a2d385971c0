import { paymentBody } from "../rest/bodies";
import { expect, test } from "./fixtures";
import { createPayout } from "./payouts";

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

test("a developer walks from a request to the object that it made, to the event, and back to all requests about it", async ({
  page,
  ownApi,
  openAs,
}) => {
  const { id } = await createPayout(ownApi, "Vendor");
  await ownApi.post(`/payout_intents/${id}/cancel`, {});
  await ownApi.post("/payment_intents", paymentBody());
  await openAs("developer", `/test/payouts/${id}`);
  const requests = page.getByRole("main").getByRole("link", { name: "API requests about it" });
  await requests.click();
  await expect(page).toHaveURL(`/test/developers/logs?object_id=${id}`);
  const rows = page.getByRole("main").getByRole("row");
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh" }).click();
    // Those two, and the header.
    await expect(rows).toHaveCount(3, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await expect(rows.getByText(id)).not.toHaveCount(0);
  await page.getByLabel("Method").selectOption("All but GET");
  await expect(page).toHaveURL(`/test/developers/logs?object_id=${id}&method=not_GET`);
  await expect(rows).toHaveCount(3);
  await page.getByRole("link", { name: "POST /v1/payout_intents", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("201");
  await page.getByRole("main").getByRole("link", { name: "payout_intent.cancelled" }).click();
  await expect(page).toHaveURL(/\/test\/webhooks\/events\/evt_/);
  await requests.click();
  await expect(rows).toHaveCount(3);
  await page.getByRole("main").getByRole("link", { name: id, exact: true }).first().click();
  await expect(page).toHaveURL(`/test/payouts/${id}`);
});

test("an approver gets no link to requests, and a developer's filter by a stranger's object is empty", async ({
  page,
  ownApi,
  openAs,
  otherBrowser,
  newMember,
}) => {
  const { id } = await createPayout(ownApi, "Vendor");
  await openAs("approver", `/test/payouts/${id}`);
  await expect(page.getByRole("main").getByRole("link", { name: "API requests about it" })).toHaveCount(0);
  const strangers = "/test/developers/logs?object_id=word_01h455vb4pex5vsknk084sn02q";
  const developer = await otherBrowser(await newMember("developer"), strangers);
  await expect(developer.getByText("No requests match")).toBeVisible();
});
