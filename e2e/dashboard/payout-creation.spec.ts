// Paying saved recipients from the dashboard: the form, the cool-off of a new recipient, and who may approve.
import type { Page } from "@playwright/test";
import { command } from "../support/operator";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { signInTo, untilLive } from "./members";
import { readPayout } from "./payouts";
import { callProcedure, saveRecipient } from "./recipients";
import { expectFits } from "./widths";

const BAKERY = "Padaria Estrela Ltda";
const DAY_SECONDS = 86_400;

async function choose(page: Page, name: string): Promise<void> {
  const select = page.getByRole("dialog").getByLabel("Recipient");
  const option = select.locator("option").filter({ hasText: name });
  await select.selectOption(await option.getAttribute("value"));
}

async function fillForm(page: Page, amount: string, reference: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount in BRL").fill(amount);
  await dialog.getByLabel("Your reference").fill(reference);
}

test("a member saves a recipient and pays it; the maker cannot approve, another member can", async ({
  page,
  ownApi,
  newMember,
  otherBrowser,
}) => {
  const [maker, approver] = [await newMember("finance,approver"), await newMember("approver")];
  await signInTo(page, maker, "/test/payouts");
  await page.getByRole("button", { name: "New payout" }).click();
  await page.getByRole("dialog", { name: "New payout" }).getByRole("button", { name: "Add a recipient…" }).click();
  const adding = page.getByRole("dialog", { name: "Add a recipient" });
  await expect(adding.getByLabel("Account holder")).toBeFocused();
  await expect(adding.getByRole("button", { name: "Add recipient" })).toBeDisabled();
  await adding.getByLabel("Account holder").fill(` ${BAKERY} `);
  await adding.getByLabel("Account number").fill("BR18 0036 0305 0000 1000 9795 493C 2");
  await adding.getByLabel("Bank code").fill("001");
  await adding.getByLabel("Country of the bank").selectOption({ label: "Brazil" });
  await adding.getByLabel("Currency of the account").selectOption("BRL");
  await expectAccessible(page, 0);
  await adding.getByRole("button", { name: "Add recipient" }).click();
  await expect(adding.getByRole("alert")).toHaveText("The account number is not a valid IBAN: check its characters.");
  await adding.getByLabel("Account number").fill("0001-123456789");
  await adding.getByRole("button", { name: "Add recipient" }).click();
  const dialog = page.getByRole("dialog", { name: "New payout" });
  await expect(dialog.getByLabel("Recipient").locator("option:checked")).toHaveText(
    `${BAKERY} · •••• 6789 · bank 001 · BRL`,
  );
  await fillForm(page, "1,250.50", "INV-2041");
  await expect(dialog).toContainText(`1,250.50 BRL to ${BAKERY}, account ending 6789 at bank 001`);
  await expectAccessible(page, 1);
  await dialog.getByRole("button", { name: "Create payout" }).click();
  const done = page.getByRole("dialog", { name: "Payout created" });
  await expect(done).toContainText("Another member must approve it before it is sent.");
  await expectAccessible(page, 2);
  await done.getByRole("link", { name: "View payout" }).click();
  await page.waitForURL(/\/test\/payouts\/word_/);
  const id = page.url().split("/").at(-1) ?? "";
  await expect(page.getByRole("heading", { level: 1 })).toContainText("1,250.50");
  await expect(page.getByText("so somebody else must approve it")).toBeVisible();
  expect(await readPayout(ownApi, id)).toMatchObject({ amount: "125050", merchant_reference: "INV-2041" });

  const shown = await page.request.get(
    `/api/trpc/payoutIntents.get?input=${encodeURIComponent(JSON.stringify({ environment: "test", id }))}`,
  );
  const { digest } = ((await shown.json()) as { result: { data: { payout: { digest: string } } } }).result.data.payout;
  const forbidden = await callProcedure(page, "payoutIntents.approve", { id, digest });
  expect(forbidden.status()).toBe(422);
  expect(await readPayout(ownApi, id)).toMatchObject({ status: "requires_approval" });

  const theirs = await otherBrowser(approver, "/test/payouts?queue=mine");
  await theirs.getByRole("button", { name: `Approve 1,250.50 BRL to ${BAKERY}` }).click();
  await theirs.getByRole("dialog").getByRole("button", { name: "Approve 1,250.50 BRL" }).click();
  await expect.poll(async () => (await readPayout(ownApi, id)).status).toMatch(/^(processing|succeeded)$/);
});

test("the member who saved a recipient cannot approve a colleague's payout to it", async ({
  page,
  newMember,
  otherBrowser,
}) => {
  const [saver, maker] = [await newMember("admin"), await newMember("finance")];
  await signInTo(page, saver, "/test/payouts/recipients");
  const { id } = await saveRecipient(page, BAKERY);
  const theirs = await otherBrowser(maker, "/test/payouts/recipients");
  const paid = await callProcedure(theirs, "payoutIntents.create", {
    recipient_id: id,
    amount: "2504",
    merchant_reference: "INV-7",
  });
  expect(paid.ok()).toBe(true);
  await page.goto("/test/payouts");
  const row = page.getByRole("row", { name: BAKERY });
  await expect(row).toContainText("You made it");
  await expect(row.getByRole("button", { name: /^Approve/ })).toBeDisabled();
});

test("the form takes an exact amount that the wallet covers, and a reference pays once", async ({ page, openAs }) => {
  await openAs("owner", "/test/payouts/recipients");
  await saveRecipient(page, BAKERY);
  await page.reload();
  await untilLive(page);
  await page.getByRole("button", { name: `Pay ${BAKERY}` }).click();
  const dialog = page.getByRole("dialog", { name: "New payout" });
  const create = dialog.getByRole("button", { name: "Create payout" });
  await expect(dialog.getByText("Available: 1,000,000.00 BRL")).toBeVisible();
  for (const amount of ["1,25", "1.005", "-3", "0", "1.000,00"]) {
    await fillForm(page, amount, "INV-1");
    await expect(dialog.getByText("Enter a number such as 1250.50, with no more decimals than BRL has.")).toBeVisible();
    await expect(create).toBeDisabled();
  }
  await fillForm(page, "1000000.01", "INV-1");
  await expect(dialog.getByText("More than the available 1,000,000.00 BRL.")).toBeVisible();
  await fillForm(page, "25.04", "INV-1");
  await create.click();
  const done = page.getByRole("dialog", { name: "Payout created" });
  await done.getByRole("button", { name: "Create another" }).click();
  await fillForm(page, "25.04", "INV-1");
  await create.click();
  await expect(page.getByRole("dialog", { name: "This payout exists already" })).toContainText(
    "Nothing new was created",
  );
  await page.getByRole("button", { name: "Create another" }).click();
  await fillForm(page, "25.05", "INV-1");
  await create.click();
  await expect(dialog.getByRole("alert")).toContainText("merchant_reference was used with a different amount");
});

test("a new recipient cannot be paid before its cool-off ends, by the page or by a direct call", async ({
  page,
  service,
  ownMerchant,
  ownApi,
  openAs,
}) => {
  const scope = ["--merchant", ownMerchant.id, "--environment", "test"];
  await command(service, "merchants", "set-recipient-cool-off", ...scope, "--time", "24h");
  await openAs("finance", "/test/payouts/recipients");
  // Every process applies the setting within a second.
  await expect
    .poll(async () => {
      await page.reload();
      return page.getByText("A new one can be paid after 24 hours.").count();
    })
    .toBe(1);
  await untilLive(page);
  const { id } = await saveRecipient(page, BAKERY);
  await page.reload();
  const row = page.getByRole("row", { name: BAKERY });
  await expect(row).toContainText("New");
  await expect(row.getByRole("button", { name: `Pay ${BAKERY}` })).toBeDisabled();
  await expectFits(page);
  await expectAccessible(page, 3);

  await page.goto("/test/payouts");
  await untilLive(page);
  await page.getByRole("button", { name: "New payout" }).click();
  await choose(page, BAKERY);
  await fillForm(page, "25.04", "INV-9");
  await expect(page.getByRole("dialog")).toContainText(`${BAKERY} is new and can be paid from`);
  await expect(page.getByRole("button", { name: "Create payout" })).toBeDisabled();
  const payout = { recipient_id: id, amount: "2504", merchant_reference: "INV-9" };
  const early = await callProcedure(page, "payoutIntents.create", payout);
  expect(early.status()).toBe(400);
  expect(await early.text()).toContain("it is new");

  expect((await ownApi.post("/sandbox/clock", { advance_seconds: DAY_SECONDS })).status).toBe(200);
  await expect.poll(async () => (await callProcedure(page, "payoutIntents.create", payout)).status()).toBe(200);
});

test("a removed recipient can no longer be paid; members without the role only read", async ({
  page,
  newMember,
  otherBrowser,
}) => {
  const [finance, developer] = [await newMember("finance"), await newMember("developer")];
  await signInTo(page, finance, "/test/payouts/recipients");
  await expect(page.getByText("No recipients yet. Add the first account that you want to pay.")).toBeVisible();
  const { id } = await saveRecipient(page, BAKERY);
  await page.reload();
  await untilLive(page);
  const theirs = await otherBrowser(developer, "/test/payouts/recipients");
  await expect(theirs.getByRole("row", { name: BAKERY })).toBeVisible();
  await expect(theirs.getByRole("main").getByRole("button")).toHaveCount(0);
  await theirs.goto("/test/payouts");
  await expect(theirs.getByRole("button", { name: "New payout" })).toHaveCount(0);

  await page.getByRole("button", { name: `Remove ${BAKERY}` }).click();
  const dialog = page.getByRole("dialog", { name: `Remove ${BAKERY}?` });
  await expect(dialog.getByRole("button", { name: "Keep recipient" })).toBeFocused();
  await expectAccessible(page, 4);
  await dialog.getByRole("button", { name: "Remove recipient" }).click();
  await expect(page.getByText("No recipients yet.")).toBeVisible();
  const paid = await callProcedure(page, "payoutIntents.create", {
    recipient_id: id,
    amount: "2504",
    merchant_reference: "INV-1",
  });
  expect(paid.status()).toBe(400);
});
