// The overview: pending tasks first, each with a link to its list, and figures of the chosen period.
import { paymentBody } from "../rest/bodies";
import { expect, test } from "./fixtures";
import { signInTo, untilLive } from "./members";
import { createPayout } from "./payouts";

test("an approver starts with the pending tasks, summed per currency, and each links to its list", async ({
  page,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver,finance");
  await createPayout(ownApi, "Vendor", { amount: "2504" });
  await createPayout(ownApi, "Other vendor", { amount: "100000" });
  const { id } = (await ownApi.post("/payment_intents", paymentBody())).body as { id: string };
  for (const outcome of ["expired", "succeeded"]) await ownApi.post("/sandbox/simulate", { id, outcome });
  await signInTo(page, approver, "/test");
  const tasks = page.getByRole("region", { name: "Needs your attention" });
  await expect(tasks.getByRole("link", { name: /2 payouts wait for your approval/ })).toContainText("1,025.04 BRL");
  await tasks.getByRole("link", { name: /1 exception needs a decision/ }).click();
  await expect(page).toHaveURL("/test/exceptions");
  await page.goBack();
  await untilLive(page);
  await page
    .getByRole("region", { name: "Needs your attention" })
    .getByRole("link", { name: /2 payouts/ })
    .click();
  await expect(page).toHaveURL("/test/payouts?queue=mine");
  await page.goto("/test");
  await untilLive(page);
  await page.getByRole("region", { name: "Balances" }).getByRole("link", { name: "BRL" }).click();
  await expect(page).toHaveURL("/test/wallet?currency=BRL");
});

test("figures show their denominator, their failures and every day, for the period in the address", async ({
  page,
  ownApi,
  openAs,
}) => {
  for (const [amount, outcome] of [
    ["1050", "succeeded"],
    ["2100", "succeeded"],
    ["990", "declined"],
  ] as const) {
    const { id } = (await ownApi.post("/payment_intents", paymentBody({ amount }))).body as { id: string };
    await ownApi.post("/sandbox/simulate", { id, outcome });
  }
  await openAs("finance", "/test");
  await page.getByRole("button", { name: "7 days" }).click();
  await expect(page).toHaveURL("/test?days=7");
  await expect(page.getByRole("button", { name: "7 days" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByText("2 of 3 that ended")).toBeVisible();
  await expect(page.getByText("66.7%")).toBeVisible();
  await expect(page.getByRole("row", { name: /provider_declined/ })).toContainText("1");
  await page.getByText("Figures by day").first().click();
  await expect(page.getByRole("table", { name: "Payments collected, BRL, by day" })).toContainText("31.50");
  await expect(page.getByText("You’re all caught up.")).toBeVisible();
});

/** The current date in the zone. */
const dayIn = (timeZone: string) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(new Date());

test("days are in the reader's time zone, and a chosen range is compared with as many days before", async ({
  browser,
  service,
  ownApi,
  newMember,
}) => {
  const { id } = (await ownApi.post("/payment_intents", paymentBody({ amount: "1050" }))).body as { id: string };
  // Two zones that never have the same date; midnight in one of them may pass meanwhile.
  const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"] as const;
  const before = zones.map(dayIn);
  await ownApi.post("/sandbox/simulate", { id, outcome: "succeeded" });
  const after = zones.map(dayIn);
  const member = await newMember("finance");
  for (const [index, timezoneId] of zones.entries()) {
    const context = await browser.newContext({ baseURL: service.baseUrl, timezoneId });
    const page = await context.newPage();
    await signInTo(page, member, "/test");
    await page.getByText("Figures by day").first().click();
    const table = page.getByRole("table", { name: "Payments collected, BRL, by day" });
    await expect(table).toContainText(`Day (${timezoneId.replaceAll("_", " ")})`);
    const day = (await table.getByRole("rowheader").textContent()) ?? "";
    expect([before[index], after[index]]).toContain(day);

    await page.getByRole("button", { name: "Custom" }).click();
    await page.getByLabel("From", { exact: true }).fill(day);
    await page.getByLabel("Until", { exact: true }).fill("2020-01-01");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByText("Until must not be before From.")).toBeVisible();
    await page.getByLabel("Until", { exact: true }).fill(day);
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(`/test?from=${day}&to=${day}`);
    await expect(page.getByRole("button", { name: "Custom" })).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByText("1 of 1 that ended")).toBeVisible();
    await page.goto(`/test?from=2026-01-01&to=2026-01-31`);
    await expect(page.getByText("none ended in this time").first()).toBeVisible();
    await page.goto(`/test?from=2026-01-01&to=2024-01-31`);
    await expect(page.getByText(/must be 7, 30, 90 days, or 1 to 366 days/)).toBeVisible();
    await page.getByRole("button", { name: "7 days" }).click();
    await expect(page).toHaveURL("/test?days=7");
    await expect(page.getByText("1 of 1 that ended")).toBeVisible();
    await context.close();
  }
});

test("a merchant without a payment sees how to begin, and then the first payment", async ({
  page,
  service,
  ownApi,
  openAs,
}) => {
  await openAs("developer", "/test");
  await expect(page.getByRole("heading", { name: "The first payment" })).toBeVisible();
  await expect(page.getByText(`curl ${service.baseUrl}/v1/payment_intents`)).toBeVisible();
  await expect(page.getByRole("region", { name: "Balances" })).toHaveCount(0);
  await ownApi.post("/payment_intents", paymentBody());
  await page.reload();
  await expect(page.getByRole("heading", { name: "Performance" })).toBeVisible();
  await expect(page.getByText("curl ")).toHaveCount(0);
});
