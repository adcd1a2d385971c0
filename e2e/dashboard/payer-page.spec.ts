// The payer's page as its payer sees it.
import { expect, test } from "../support/fixtures";
import { expectAccessible } from "./accessibility";
import { CUSTOMER, createPayment, readPayment } from "./payments";
import { expectFits } from "./widths";

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
    const receipt = page.getByRole("button", { name: "Print or save this receipt" });
    await expect(receipt).toHaveCount(status === "succeeded" ? 1 : 0);
    await expect(page.getByRole("button")).toHaveCount(await receipt.count());
    await expect(page.getByRole("timer")).toHaveCount(0);
    const intent = await readPayment(api, id);
    expect(intent).toMatchObject({ status, failure_code: failureCode, next_action: null });
  });
}

test("the payer reads what is bought, and finds the way back to the shop before and after paying", async ({
  page,
  api,
  merchant,
  service,
}) => {
  const description = "Two tickets <b>row 7</b> \u0645\u0631\u062d\u0628\u0627";
  // Any page of this service stands for the shop: the browser of the specs reaches nothing else.
  const return_url = `${service.baseUrl}/healthz`;
  const { id } = await createPayment(api, "BR_PIX", "123450", { description, return_url });
  await page.goto(`/pay/${id}`);
  await expect(page.getByText(description)).toBeVisible();
  const back = page.getByRole("link", { name: `Back to ${merchant.name}` });
  await expect(back).toHaveAttribute("href", return_url);
  await expectAccessible(page, 0);
  await expectFits(page);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Paid" })).toBeVisible();
  await expectAccessible(page, 0);
  const request = page.waitForRequest(return_url);
  await back.click();
  expect((await request).headers()).not.toHaveProperty("referer");
  expect((await readPayment(api, id)).status).toBe("succeeded");
});

test("a payment without a return URL has no way back", async ({ page, api }) => {
  const { id } = await createPayment(api, "BR_PIX");
  await page.goto(`/pay/${id}`);
  await expect(page.getByRole("button", { name: "Pay", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Back to/ })).toHaveCount(0);
});

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
  await expect(page.getByText("R$1,234.50")).toBeVisible();
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
  await page.route("**/decide*", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByText("Your choice could not be sent. Please try again.")).toBeVisible();
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

const LANGUAGES = [
  {
    accepts: "pt-BR",
    lang: "pt-BR",
    amount: "R$ 1.234,50",
    title: "Leia ou copie o código para pagar",
    pay: "Pagar",
    paid: "Pago",
  },
  {
    accepts: "es-MX",
    lang: "es",
    amount: "BRL 1,234.50",
    title: "Escanee o copie el código para pagar",
    pay: "Pagar",
    paid: "Pagado",
  },
  {
    accepts: "id",
    lang: "id",
    amount: "R$1.234,50",
    title: "Pindai atau salin kode untuk membayar",
    pay: "Bayar",
    paid: "Sudah dibayar",
  },
  {
    accepts: "th",
    lang: "th",
    amount: "R$1,234.50",
    title: "สแกนหรือคัดลอกรหัสเพื่อชำระเงิน",
    pay: "ชำระเงิน",
    paid: "ชำระเงินแล้ว",
  },
  {
    accepts: "vi",
    lang: "vi",
    amount: "1.234,50 R$",
    title: "Quét hoặc sao chép mã để thanh toán",
    pay: "Thanh toán",
    paid: "Đã thanh toán",
  },
  {
    accepts: "ja",
    lang: "ja",
    amount: "R$1,234.50",
    title: "コードを読み取るかコピーしてお支払い",
    pay: "支払う",
    paid: "お支払い済み",
  },
  {
    accepts: "ko",
    lang: "ko",
    amount: "R$1,234.50",
    title: "코드를 스캔하거나 복사하여 결제",
    pay: "결제",
    paid: "결제 완료",
  },
  { accepts: "ar-EG", lang: "ar", amount: "BRL", title: "امسح الرمز أو انسخه للدفع", pay: "دفع", paid: "تم الدفع" },
] as const;

for (const [place, { accepts, lang, amount, title, pay, paid }] of LANGUAGES.entries()) {
  test(`a browser that accepts ${accepts} gets the page in that language`, async ({
    browser,
    service,
    api,
    merchant,
  }) => {
    const { id } = await createPayment(api, "BR_PIX");
    const page = await browser.newPage({ baseURL: service.baseUrl, locale: accepts });
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    await page.goto(`/pay/${id}`);
    const html = page.locator("html");
    await expect(html).toHaveAttribute("lang", lang);
    await expect(html).toHaveAttribute("dir", lang === "ar" ? "rtl" : "ltr");
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    await expect(page.getByText(amount, { exact: lang !== "ar" })).toBeVisible();
    expect(await page.title()).toContain(merchant.name);
    await expectFits(page);
    await expectAccessible(page, place);
    await page.getByRole("button", { name: pay, exact: true }).click();
    const heading = page.getByRole("heading", { name: paid, exact: true });
    await expect(heading).toBeFocused();
    await expectFits(page);
    await expectAccessible(page, place + 1);
    expect(complaints).toEqual([]);
    await page.close();
  });
}

test("the payer chooses another language, which stays after the payment, also without scripts", async ({
  browser,
  service,
  api,
}) => {
  const { id } = await createPayment(api, "BR_PIX");
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: service.baseUrl, locale: "en-GB" });
  const page = await context.newPage();
  await page.goto(`/pay/${id}`);
  const languages = page.getByRole("navigation", { name: "Language" });
  await expect(languages.getByRole("link")).toHaveCount(9);
  await languages.getByRole("link", { name: "português" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "pt-BR");
  await page.getByRole("button", { name: "Pagar", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Pago", exact: true })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "pt-BR");
  await context.close();
});

test("an address without a payment says so in the reader's language", async ({ page }) => {
  await page.goto("/pay/dord_00000000000000000000000000?lang=es");
  await expect(page.getByRole("heading", { name: "Aquí no hay ningún pago" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "es");
});

test("a paid payment can be printed, without what is of no use on paper", async ({ page, api }) => {
  const { id } = await createPayment(api, "BR_PIX");
  await page.goto(`/pay/${id}`);
  await expect(page.getByRole("button", { name: "Print or save this receipt" })).toHaveCount(0);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  const button = page.getByRole("button", { name: "Print or save this receipt" });
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await button.click();
  await expect(page.locator("body[data-printed]")).toHaveCount(1);
  await page.emulateMedia({ media: "print" });
  await expect(button).toBeHidden();
  await expect(page.getByRole("navigation")).toBeHidden();
  for (const text of ["R$1,234.50", id, "Paid on"]) await expect(page.getByText(text).first()).toBeVisible();
});

test("on a phone the code to copy stands above the picture", async ({ page, api }) => {
  const { id } = await createPayment(api, "BR_PIX");
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(`/pay/${id}`);
  const top = async (locator: ReturnType<typeof page.getByRole>) => (await locator.boundingBox())?.y ?? Number.NaN;
  const copy = page.getByRole("button", { name: "Copy payment code" });
  const picture = page.getByRole("img", { name: "QR code of this payment" });
  expect(await top(copy)).toBeLessThan(await top(picture));
  await page.setViewportSize({ width: 1024, height: 780 });
  expect(await top(picture)).toBeLessThan(await top(copy));
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
