// A member chooses notifications; a real mail server and a real receiver get them from the worker of a real service.
import { Webhook } from "standardwebhooks";
import { createApi, fetchValidator } from "../support/api";
import { type Mailbox, openMailbox } from "../support/mailbox";
import { createMerchant } from "../support/merchant";
import { type Receiver, startReceiver } from "../support/receiver";
import { type Service, startService } from "../support/service";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { createMember, signInTo } from "./members";
import { createPayout } from "./payouts";

const WITHIN = { timeout: 120_000 };
const WAITING = "Payouts that wait for your approval";

let mailbox: Mailbox;
let receiver: Receiver;
let service: Service;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  [mailbox, receiver] = await Promise.all([openMailbox(), startReceiver()]);
  service = await startService({ env: { SMTP_URL: mailbox.url, MAIL_FROM: "Sluice <pay@sluice.example>" } });
});
test.afterAll(async () => {
  await service?.dispose();
  await Promise.all([mailbox?.close(), receiver?.stop()]);
});

test("an approver gets mails and signed webhooks of payouts that wait, and sees what was given up", async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const merchant = await createMerchant(service);
  const approver = await createMember(service, merchant, "approver");
  const api = createApi(service.baseUrl, merchant.keys.test, await fetchValidator(service.baseUrl));
  const page = await (await browser.newContext({ baseURL: service.baseUrl })).newPage();
  await signInTo(page, approver, "/test/account");
  await page.getByRole("button", { name: approver.email }).click();
  await page.getByRole("link", { name: "Notifications" }).click();
  await expect(page.getByText("You receive no notifications in test.")).toBeVisible();

  const dialog = page.getByRole("dialog");
  const add = page.getByRole("button", { name: "Add notifications" });
  await add.click();
  await dialog.getByLabel("Payouts that are cancelled").uncheck();
  await expectAccessible(page, 1);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("heading", { name: `Mail: ${approver.email}` })).toBeVisible();
  await page.getByRole("button", { name: `Send a test to Mail: ${approver.email}` }).click();
  await expect(page.getByText("Test, 1 in all")).toBeVisible(WITHIN);
  await expect(page.getByText("Sent", { exact: true })).toBeVisible(WITHIN);
  expect(mailbox.mailsTo(approver.email).at(-1)).toContain("This is a test");

  await add.click();
  await dialog.getByLabel("Send by").selectOption("Signed webhook");
  await dialog.getByLabel("URL").fill("http://10.0.0.1/hooks");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("must lead to public addresses only");
  await dialog.getByLabel("URL").fill(`${receiver.url}/mine`);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  const secret = await dialog.getByText(/^whsec_/).textContent();
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();

  const { id } = await createPayout(api, "Padaria Estrela Ltda");
  await expect.poll(() => mailbox.mailsTo(approver.email).join().includes(id), WITHIN).toBe(true);
  await expect.poll(() => receiver.received.length, WITHIN).toBeGreaterThan(0);
  const [message] = receiver.received;
  expect(new Webhook(secret ?? "").verify(message?.body ?? "", { ...message?.headers })).toMatchObject({
    type: "notification.approval_waiting",
    data: { environment: "test", items: [{ payout_intent_id: id, merchant_id: merchant.id, amount: "2504" }] },
  });
  for (const text of [message?.body, ...mailbox.mailsTo(approver.email)]) expect(text).not.toContain("Padaria");

  receiver.answer(410);
  await createPayout(api, "Vendor");
  await expect(page.getByText("Given up")).toBeVisible(WITHIN);
  await expect(page.getByText("The receiver answered 410.")).toBeVisible();
  const target = `Signed webhook: ${new URL(receiver.url).host}`;
  await expectAccessible(page, 0);
  await page.getByRole("button", { name: `Change ${target}` }).click();
  await dialog.getByLabel("When", { exact: true }).selectOption("Once a day");
  await dialog.getByLabel("Time of day").fill("08:30");
  await dialog.getByLabel("Time zone").selectOption("America/Sao Paulo");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Once a day at 08:30, America/Sao Paulo")).toBeVisible();
  await page.getByRole("button", { name: `Remove ${target}` }).click();
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("heading", { name: target })).toBeHidden();
  await expect(page.getByRole("heading", { name: `Mail: ${approver.email}` })).toBeVisible();
  await expect(page.getByText(WAITING)).not.toHaveCount(0);
  await page.context().close();
});
