// The lists: filters and pages in the address, a banner for newer rows, the CSV file of the shown rows.
import { readFileSync } from "node:fs";
import { paymentBody, topupBody } from "../rest/bodies";
import { expect, test } from "./fixtures";
import { untilLive } from "./members";
import { createPayout } from "./payouts";

test("filters and pages are in the address under their REST names, and survive reload and back", async ({
  page,
  ownApi,
  openAs,
}) => {
  for (let number = 1; number <= 27; number += 1) await createPayout(ownApi, `Vendor ${number}`);
  const special = await createPayout(ownApi, "Special Vendor", { reference: "ref &=+ 1" });
  await ownApi.post(`/payout_intents/${special.id}/cancel`, {});
  await openAs("finance", "/test/payouts");

  await page.getByRole("button", { name: /^Needs approval/ }).click();
  await expect(page).toHaveURL("/test/payouts?status=requires_approval");
  await expect(page.getByRole("button", { name: "Needs approval 27" })).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(26);
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page).toHaveURL(/status=requires_approval&cursor=/);
  await expect(page.getByRole("row")).toHaveCount(3);
  await expect(page.getByRole("button", { name: "Next" })).toBeDisabled();
  await page.reload();
  await untilLive(page);
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(page.getByRole("row")).toHaveCount(26);

  await page.getByRole("button", { name: /^All / }).click();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("ref &=+ 1");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row", { name: /Special Vendor/ })).toContainText("Cancelled");
  await page.getByRole("button", { name: /^Reference/ }).click();
  await expect(page.getByRole("row")).toHaveCount(26);
  await page.goBack();
  await expect(page.getByRole("row")).toHaveCount(2);

  await page.goto("/test/payouts?status=succeeded,cancelled");
  await untilLive(page);
  const pressed = page.getByRole("group", { name: "Status" }).getByRole("button", { pressed: true });
  await expect(pressed).toHaveText([/^Succeeded/, /^Cancelled/]);
  await page.getByRole("button", { name: "Status Succeeded, Cancelled" }).click();
  await expect(page).toHaveURL("/test/payouts");
  await expect(pressed).toHaveText([/^All/]);

  await page.goto("/test/payouts?currency=XXX");
  await untilLive(page);
  await expect(page.getByRole("alert").filter({ hasText: "currency" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("row")).toHaveCount(26);
});

test("columns are chosen in the address, and the keys J, K and Enter move through the rows", async ({
  page,
  ownApi,
  openAs,
}) => {
  const { body } = await ownApi.post("/payment_intents", paymentBody({ amount: "100100" }));
  await ownApi.post("/payment_intents", paymentBody({ amount: "200200" }));
  await openAs("finance", "/test/payments");

  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Method" }).uncheck();
  await expect(page.getByRole("columnheader", { name: "Method" })).toBeHidden();
  await expect(page).toHaveURL(/columns=status%2Ccountry%2Cmerchant_reference%2Cfailure_code%2Ccreated_at$/);
  await page.getByRole("checkbox", { name: "Country" }).uncheck();
  await expect(page.getByRole("columnheader", { name: "Country" })).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await page.getByRole("button", { name: /^Waiting for payer/ }).click();
  await page.reload();
  await untilLive(page);
  await expect(page.getByRole("columnheader")).toHaveText(["Amount", "Status", "Reference", "Failure", "Created"]);

  for (const [key, amount] of [
    ["j", "2,002.00 BRL"],
    ["j", "1,001.00 BRL"],
    ["j", "1,001.00 BRL"],
    ["k", "2,002.00 BRL"],
    ["j", "1,001.00 BRL"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole("link", { name: amount })).toBeFocused();
  }
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/test/payments/${(body as { id: string }).id}`);
});

test("days are in the reader's time zone, and a filter without matches shows a message", async ({
  page,
  ownApi,
  openAs,
}) => {
  await createPayout(ownApi, "Today");
  await openAs("finance", "/test/payouts");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Until").fill("2020-02-29");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("No payouts match")).toBeVisible();
  await expect(page.getByRole("button", { name: "Until 2020-02-29" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("row", { name: /Today/ })).toBeVisible();
});

test("filters are choices by name with counts, and a period fills in its days", async ({ page, ownApi, openAs }) => {
  await ownApi.post("/payment_intents", paymentBody());
  await ownApi.post("/payment_intents", paymentBody({ payment_method: "BR_BOLETO" }));
  await openAs("finance", "/test/payments");
  await page.getByRole("button", { name: "Filters" }).click();
  const method = page.getByLabel("Payment method");
  await expect(method.getByRole("option")).toHaveText(["Any", "Boleto, Brazil (1)", "Pix, Brazil (1)"]);
  await expect(page.getByLabel("Country").getByRole("option")).toHaveText(["Any", "Brazil (2)"]);
  await expect(page.getByLabel("Currency").getByRole("option")).toHaveText(["Any", "BRL, Brazilian Real (2)"]);
  await page.getByLabel("Until").fill("2020-02-29");
  await expect(page.getByLabel("Period").locator("option:checked")).toHaveText("Chosen days");
  await expect(method.getByRole("option")).toHaveText(["Any", "Boleto, Brazil (0)", "Pix, Brazil (0)"]);
  await page.getByLabel("Period").selectOption("Last 7 days");
  await expect(method.getByRole("option")).toHaveText(["Any", "Boleto, Brazil (1)", "Pix, Brazil (1)"]);
  await method.selectOption("BR_PIX");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/payment_method=BR_PIX/);
  await expect(page).toHaveURL(/created_after=/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: "Payment method Pix, Brazil" }).click();
  await expect(page.getByRole("row")).toHaveCount(3);
});

test("times are shown in the zone that the member chooses, at every sign-in", async ({
  page,
  ownApi,
  otherBrowser,
  openAs,
}) => {
  const { body } = await ownApi.post("/payment_intents", paymentBody());
  const { id, created_at: createdAt } = body as { id: string; created_at: string };
  const tokyo = new Date(Date.parse(createdAt) + 9 * 60 * 60_000).toISOString();
  const person = await openAs("finance", `/test/payments/${id}`);
  await page.getByRole("button", { name: person.email }).click();
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await expect(page.getByRole("complementary").locator("span", { hasText: /^Asia\/Tokyo$/ })).toBeVisible();
  const time = `${tokyo.slice(11, 16)} GMT+9`;
  await expect(page.getByText(time).first()).toBeVisible();

  const other = await otherBrowser(person, "/test/payments");
  await other.getByRole("button", { name: "Filters" }).click();
  await other.getByLabel("From").fill(tokyo.slice(0, 10));
  await other.getByRole("button", { name: "Apply" }).click();
  await expect(other).toHaveURL(/created_after=\d{4}-\d\d-\d\dT15%3A00%3A00.000Z/);
  await expect(other.getByRole("link", { name: "10.50 BRL" })).toBeVisible();
});

test("the CSV file contains the filtered rows, exact, and nothing that a spreadsheet calculates", async ({
  page,
  ownApi,
  openAs,
}) => {
  const evil = await createPayout(ownApi, '=HYPERLINK("http://evil.example","x")', {
    reference: "+1, 2",
    amount: "123456",
  });
  const other = await createPayout(ownApi, "Quiet", { amount: "2504" });
  await ownApi.post(`/payout_intents/${other.id}/cancel`, {});
  await openAs("finance", "/test/payouts?status=requires_approval");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^sluice-test-payouts-\d{4}-\d{2}-\d{2}\.csv$/);
  const [header, line, ...rest] = readFileSync(await file.path(), "utf8").split("\r\n");
  expect(header).toMatch(/^id,status,amount_minor_units,amount,currency,country,merchant_reference,/);
  expect(line).toContain(`${evil.id},requires_approval,123456,1234.56,BRL,BR,"'+1, 2","'=HYPERLINK(""http:`);
  expect(rest).toEqual([""]);
});

test("an underpaid top-up shows what was credited, of what, what was received, and the booked spread", async ({
  page,
  ownApi,
  openAs,
}) => {
  const { body } = await ownApi.post("/topup_intents", topupBody(), { headers: { "idempotency-key": "t-2" } });
  const { id, destination } = body as { id: string; destination: { amount: string } };
  for (const outcome of ["underpaid", "expired"]) await ownApi.post("/sandbox/simulate", { id, outcome });
  const ended = (await ownApi.get(`/topup_intents/${id}`)).body as { destination: { credited_amount: string } };
  expect(BigInt(ended.destination.credited_amount)).toBeLessThan(BigInt(destination.amount));
  await openAs("finance", `/test/topups/${id}`);
  const heading = page.getByRole("heading", { level: 1 });
  // Minor units: the last two digits are the cents.
  const credited = ended.destination.credited_amount.replace(/(?=\d\d$)/, ".");
  await expect(heading).toContainText(`${credited} BRLSucceededUnderpaidcredited of 100.00 BRL`);
  await expect(page.getByText("Received", { exact: true }).locator("..")).toContainText("USDT");
  await expect(page.getByText("Spread, booked", { exact: true })).toBeVisible();
});

test("top-ups are listed with what the payer sends, and each has a page", async ({ page, ownApi, openAs }) => {
  const { body } = await ownApi.post("/topup_intents", topupBody(), {
    headers: { "idempotency-key": "t-1" },
  });
  const { id, source } = body as { id: string; source: { amount: string } };
  await openAs("finance", "/test/topups");
  await page.getByRole("link", { name: "100.00 BRL" }).click();
  await expect(page).toHaveURL(`/test/topups/${id}`);
  await expect(page.getByText("1 USDT = ")).toBeVisible();
  await page.getByText("JSON, as the API shows it").click();
  await expect(page.getByText(`"amount": "${source.amount}"`).first()).toBeVisible();
});
