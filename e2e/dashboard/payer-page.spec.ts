// The payer's page as its payer sees it.
import { expect, test } from "../support/fixtures";
import { expectAccessible } from "./accessibility";
import { CUSTOMER, createPayment, readPayment } from "./payments";

const ENDINGS = [
  { button: "Pay", title: "Paid", status: "succeeded", failureCode: null },
  { button: "Decline", title: "The payment was declined", status: "failed", failureCode: "provider_declined" },
  { button: "Cancel", title: "The payment was cancelled", status: "failed", failureCode: "cancelled" },
  { button: "Let expire", title: "The time to pay is over", status: "expired", failureCode: "expired" },
] as const;

for (const { button, title, status, failureCode } of ENDINGS) {
  test(`"${button}" ends the payment in place as ${status}, and REST shows the same`, async ({ page, api }) => {
    const { id } = await createPayment(api, "BR_PIX");
    await page.goto(`/pay/${id}`);
    await page.getByRole("button", { name: button, exact: true }).click();
    const heading = page.getByRole("heading", { name: title });
    await expect(heading).toBeVisible();
    await expect(heading).toBeFocused();
    await expect(page.getByRole("status").filter({ hasText: title })).toHaveCount(1);
    await expect(page.getByRole("button")).toHaveCount(0);
    await expect(page.getByRole("timer")).toHaveCount(0);
    const intent = await readPayment(api, id);
    expect(intent).toMatchObject({ status, failure_code: failureCode, next_action: null });
  });
}

test("a QR payment shows amount, payee, time left, and the code to scan or copy", async ({
  page,
  context,
  api,
  merchant,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id, next_action: action } = await createPayment(api, "BR_PIX");
  await page.goto(`/pay/${id}`);
  await expect(page.getByRole("heading", { name: merchant.name })).toBeVisible();
  await expect(page.getByText("1,234.50 BRL")).toBeVisible();
  await expect(page.getByText("Test payment.")).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/^(30:00|29:5\d)$/);
  await expect(page.getByRole("img", { name: "QR code of this payment" })).toBeVisible();
  await expect(page.locator(`time[datetime="${action?.expires_at}"]`)).toBeVisible();
  await page.getByRole("button", { name: "Copy payment code" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(action).toMatchObject({ type: "display_qr_code", data: copied });
});

test("a bank transfer shows each value of REST's instructions; the amount is copied as a number", async ({
  page,
  context,
  api,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id, next_action: action } = await createPayment(api, "MX_SPEI", "98765490");
  await page.goto(`/pay/${id}`);
  if (action?.type !== "display_bank_transfer_instructions") throw new Error("no bank instructions");
  const [address] = action.financial_addresses;
  const shown = [action.reference, address?.account_number, address?.account_holder_name, address?.bank_code];
  for (const text of shown) await expect(page.getByText(text ?? "-", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Copy amount" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("987654.90");
});

test("changes from elsewhere appear on the open page, and polling stops once no more can follow", async ({
  page,
  service,
  api,
}) => {
  const { id } = await createPayment(api, "BR_BOLETO");
  await page.clock.install();
  await page.goto(`/pay/${id}`);
  await expect(page.getByRole("heading", { name: "Continue to pay" })).toBeVisible();
  await api.post("/sandbox/simulate", { id, outcome: "succeeded" });
  // The page announces the change once it has stopped its timer.
  await expect(page.getByRole("status").filter({ hasText: "Paid" })).toHaveCount(1);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.clock.fastForward("10:00");
  // A poll that is due would be sent before this request.
  const marker = `${service.baseUrl}/pay/${id}/state?last`;
  await page.evaluate((url) => fetch(url), marker);
  expect(asked).toEqual([marker]);
});

test("an outdated page shows how the payment has ended when a button is pressed", async ({ page, api }) => {
  const { id } = await createPayment(api, "BR_PIX");
  await page.goto(`/pay/${id}`);
  await page.route("**/state", (route) => route.abort());
  await api.post("/sandbox/simulate", { id, outcome: "declined" });
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByRole("heading", { name: "The payment was declined" })).toBeVisible();
  expect(await readPayment(api, id)).toMatchObject({ status: "failed" });
});

test("a lost connection is shown, and the button works again afterwards", async ({ page, api }) => {
  const { id } = await createPayment(api, "BR_PIX");
  await page.goto(`/pay/${id}`);
  await page.route("**/decide", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByText("That did not arrive. Please try again.")).toBeVisible();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Paid" })).toBeVisible();
});

test("without JavaScript the page shows everything and its form pays", async ({ browser, service, api }) => {
  const { id } = await createPayment(api, "BR_PIX");
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${service.baseUrl}/pay/${id}`);
  await expect(page.getByRole("img", { name: "QR code of this payment" })).toBeVisible();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Paid" })).toBeVisible();
  expect(page.url()).toBe(`${service.baseUrl}/pay/${id}`);
  expect(await readPayment(api, id)).toMatchObject({ status: "succeeded" });
  await context.close();
});

test("the page loads nothing from other origins and contains no customer data", async ({ page, api, service }) => {
  const { id, merchant_reference: reference } = await createPayment(api, "BR_PIX");
  const origins = new Set<string>();
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  const html = await (await page.goto(`/pay/${id}`))?.text();
  await page.waitForLoadState("networkidle");
  expect([...origins]).toEqual([service.baseUrl]);
  for (const secret of [...Object.values(CUSTOMER), reference, "mer_"]) expect(html).not.toContain(secret);
});

test("the page passes WCAG 2.2 AA in every form", async ({ page, api }) => {
  test.slow();
  for (const [place, method] of (["BR_PIX", "MX_SPEI", "BR_BOLETO"] as const).entries()) {
    const { id } = await createPayment(api, method);
    await page.goto(`/pay/${id}`);
    await expectAccessible(page, place);
    await page.getByRole("button", { name: "Let expire" }).click();
    await expect(page.getByRole("heading", { name: "The time to pay is over" })).toBeVisible();
    await expectAccessible(page, place + 1);
  }
  await page.goto("/pay/dord_00000000000000000000000000");
  await expectAccessible(page, 3);
});
