// Owns the specs of the overview: what waits comes first and leads to its list; figures are of the chosen period.
import { paymentBody } from "../rest/bodies";
import { expect, test } from "../support/fixtures";
import { createMerchant } from "../support/merchant";
import { createMember, signInTo, untilLive } from "./members";
import { createPayout } from "./payouts";

test("an approver begins at what waits, summed per currency, and each task leads to its list", async ({
  page,
  service,
  apiFor,
}) => {
  const merchant = await createMerchant(service);
  const api = apiFor(merchant.keys.test);
  await createPayout(api, "Vendor", { amount: "2504" });
  await createPayout(api, "Other vendor", { amount: "100000" });
  const { id } = (await api.post("/payment_intents", paymentBody())).body as { id: string };
  for (const outcome of ["expired", "succeeded"]) await api.post("/sandbox/simulate", { id, outcome });
  await signInTo(page, await createMember(service, merchant, "approver,finance"), "/test");
  const tasks = page.getByRole("region", { name: "Waiting for you" });
  await expect(tasks.getByRole("link", { name: /2 payouts wait for your approval/ })).toContainText("1,025.04 BRL");
  await tasks.getByRole("link", { name: /1 exception needs a decision/ }).click();
  await expect(page).toHaveURL("/test/exceptions");
  await page.goBack();
  await untilLive(page);
  await page
    .getByRole("region", { name: "Waiting for you" })
    .getByRole("link", { name: /2 payouts/ })
    .click();
  await expect(page).toHaveURL("/test/payouts?queue=mine");
  await page.goto("/test");
  await untilLive(page);
  await page.getByRole("region", { name: "Balances" }).getByRole("link", { name: "BRL" }).click();
  await expect(page).toHaveURL("/test/wallet?currency=BRL");
});

test("figures name their denominator, their failures and every day, for the period in the address", async ({
  page,
  service,
  apiFor,
}) => {
  const merchant = await createMerchant(service);
  const api = apiFor(merchant.keys.test);
  for (const [amount, outcome] of [
    ["1050", "succeeded"],
    ["2100", "succeeded"],
    ["990", "declined"],
  ] as const) {
    const { id } = (await api.post("/payment_intents", paymentBody({ amount }))).body as { id: string };
    await api.post("/sandbox/simulate", { id, outcome });
  }
  await signInTo(page, await createMember(service, merchant, "finance"), "/test");
  await page.getByRole("button", { name: "7 days" }).click();
  await expect(page).toHaveURL("/test?days=7");
  await expect(page.getByRole("button", { name: "7 days" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByText("2 of 3 that ended")).toBeVisible();
  await expect(page.getByText("66.6 %")).toBeVisible();
  await expect(page.getByRole("row", { name: /provider_declined/ })).toContainText("1");
  await page.getByText("Figures by day").first().click();
  await expect(page.getByRole("table", { name: "Payments collected, BRL, by day" })).toContainText("31.50");
  await expect(page.getByText("Nothing waits for you.")).toBeVisible();
});

test("a merchant without a payment is told how to begin, and sees the first one", async ({ page, service, apiFor }) => {
  const merchant = await createMerchant(service);
  await signInTo(page, await createMember(service, merchant, "developer"), "/test");
  await expect(page.getByRole("heading", { name: "The first payment" })).toBeVisible();
  await expect(page.getByText(`curl ${service.baseUrl}/v1/payment_intents`)).toBeVisible();
  await expect(page.getByRole("region", { name: "Balances" })).toHaveCount(0);
  await apiFor(merchant.keys.test).post("/payment_intents", paymentBody());
  await page.reload();
  await expect(page.getByRole("heading", { name: "How it went" })).toBeVisible();
  await expect(page.getByText("curl ")).toHaveCount(0);
});
