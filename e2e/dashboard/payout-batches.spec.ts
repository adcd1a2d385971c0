// Payouts from a file: preview, confirmation, another upload, and one approval for the batch.

import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { command } from "../support/operator";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { signInTo, untilLive } from "./members";
import { readPayout } from "./payouts";
import { callProcedure, saveRecipient } from "./recipients";
import { expectFits } from "./widths";

const HEADER = "account_number,bank_code,currency,amount,reference,holder_name";
const BAKERY = { account_number: "0001-123456789", bank_code: "001" };
const MILL = { account_number: "0002-987654321", bank_code: "237" };

async function saveBoth(page: Page): Promise<void> {
  await saveRecipient(page, "Padaria Estrela Ltda", BAKERY);
  await saveRecipient(page, "Moinho São João", MILL);
}

async function upload(page: Page, ...lines: readonly string[]): Promise<void> {
  await page.getByLabel("CSV file").setInputFiles({
    name: "november.csv",
    mimeType: "text/csv",
    buffer: Buffer.from([HEADER, ...lines].join("\r\n")),
  });
}

const GOOD = [
  '0001-123456789,001,BRL,"1,250.50",INV-1,Padaria Estrela Ltda',
  "0002 987654321,237,BRL,90,INV-2,moinho sao joao",
];

test("a file with a bad line: a verdict per line, nothing before the confirmation, nothing twice", async ({
  page,
  ownApi,
  openAs,
}) => {
  await openAs("finance", "/test/payouts/upload");
  await saveBoth(page);
  const count = async () => ((await ownApi.get("/payout_intents")).body as { data: unknown[] }).data.length;
  await upload(page, ...GOOD, "0009-000000000,001,BRL,10,INV-3,");
  await expect(page.getByText("2 payouts: 1,340.50 BRL")).toBeVisible();
  await expect(page.getByText("1 rejected.")).toBeVisible();
  await expect(page.getByRole("row", { name: "INV-1" })).toContainText("New");
  await expect(page.getByRole("row", { name: "INV-3" })).toContainText(
    "No saved recipient has this account at this bank in BRL.",
  );
  await expect(page.getByText("123456789")).toHaveCount(0);
  await expectFits(page);
  await expectAccessible(page, 0);
  await expectAccessible(page, 1);
  expect(await count()).toBe(0);

  await page.getByLabel("Rejected lines only").check();
  await expect(page.getByRole("row", { name: "INV-1" })).toHaveCount(0);
  await page.getByRole("button", { name: "Create 2 payouts" }).click();
  await expect(page.getByRole("heading", { name: "2 payouts created" })).toBeVisible();
  await expect(page.getByRole("row", { name: "INV-2" })).toContainText("Created");
  expect(await count()).toBe(2);

  await upload(page, ...GOOD);
  await expect(page.getByText("No line can be created.")).toBeVisible();
  await expect(page.getByRole("row", { name: "INV-1" })).toContainText("Exists already");
  await expect(page.getByRole("button", { name: /^Create/ })).toHaveCount(0);
  await upload(page, "0001-123456789,001,BRL,7,INV-1,");
  await expect(page.getByText("A payout with this reference exists, with another amount.")).toBeVisible();
  await upload(page, '"nothing');
  await expect(page.getByText("file is not CSV")).toBeVisible();
  expect(await count()).toBe(2);
});

test("one approval for a batch: not by its maker, and not as it was before a line was cancelled", async ({
  page,
  ownApi,
  newMember,
  otherBrowser,
}) => {
  const [maker, approver, admin] = [
    await newMember("finance,approver"),
    await newMember("approver"),
    await newMember("admin"),
  ];
  await signInTo(page, maker, "/test/payouts/upload");
  await saveBoth(page);
  await upload(page, ...GOOD, "0001-123456789,001,BRL,3,INV-3,");
  await page.getByRole("button", { name: "Create 3 payouts" }).click();
  await page.getByRole("link", { name: "View batch" }).click();
  await page.waitForURL(/\/payouts\/batches\/pbt_/);
  await expect(page.getByRole("heading", { name: "Batch of 3 payouts" })).toBeVisible();
  await expect(page.getByText("You made this batch, or saved one of its recipients")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Approve/ })).toHaveCount(0);
  await expectFits(page);
  await expectAccessible(page, 2);
  await expectAccessible(page, 3);
  const path = new URL(page.url()).pathname;
  const id = path.split("/").at(-1) ?? "";

  const theirs = await otherBrowser(approver, "/test/payouts?queue=mine");
  await theirs.getByRole("link", { name: "Batch" }).first().click();
  await theirs.waitForURL(path);
  await untilLive(theirs);
  const input = encodeURIComponent(JSON.stringify({ environment: "test", id }));
  const shown = await theirs.request.get(`/api/trpc/payoutBatches.get?input=${input}`);
  const { digest, payouts } = (
    (await shown.json()) as { result: { data: { digest: string; payouts: { id: string }[] } } }
  ).result.data;
  expect((await callProcedure(page, "payoutBatches.approve", { id, digest })).status()).toBe(422);

  const cancelling = await otherBrowser(admin, "/test/payouts");
  const cancelled = payouts[2]?.id ?? "";
  expect((await callProcedure(cancelling, "payoutIntents.cancel", { id: cancelled })).ok()).toBe(true);
  const outdated = await callProcedure(theirs, "payoutBatches.approve", { id, digest });
  expect(outdated.status()).toBe(422);
  expect(await outdated.text()).toContain("The batch has changed since it was shown");
  expect(await readPayout(ownApi, payouts[0]?.id ?? "")).toMatchObject({ status: "requires_approval" });

  await theirs.reload();
  await untilLive(theirs);
  await theirs.getByRole("button", { name: "Approve 2 payouts" }).click();
  const dialog = theirs.getByRole("dialog", { name: "Approve 2 payouts?" });
  await expect(dialog).toContainText("In all 1,340.50 BRL");
  await expect(dialog.getByRole("button", { name: "Not now" })).toBeFocused();
  await expectAccessible(theirs, 0);
  await dialog.getByRole("button", { name: "Approve 2 payouts" }).click();
  await expect(theirs.getByRole("dialog", { name: "2 of 2 payouts approved" })).toBeVisible();
  for (const { id: payout } of payouts.slice(0, 2))
    await expect.poll(async () => (await readPayout(ownApi, payout)).status).toMatch(/^(processing|succeeded)$/);
  expect(await readPayout(ownApi, cancelled)).toMatchObject({ status: "cancelled" });
});

test("the strictest line of a batch decides how many members approve each", async ({
  page,
  service,
  ownMerchant,
  newMember,
}, info) => {
  const [first, second] = [await newMember("owner"), await newMember("admin")];
  await newMember("approver");
  const file = info.outputPath("policy.json");
  const rules = [{ currency: "BRL", amount_at_least: "100000", approvals: 2 }];
  writeFileSync(file, JSON.stringify({ default_approvals: 1, rules }));
  const scope = ["--merchant", ownMerchant.id, "--environment", "test"];
  await command(service, "policies", "set", ...scope, "--file", file, "--as", first.email);
  await command(service, "policies", "confirm", ...scope, "--version", "2", "--as", second.email);
  await signInTo(page, first, "/test/payouts/upload");
  await saveBoth(page);
  // Every process applies a new policy within a second.
  await expect
    .poll(async () => {
      await upload(page, ...GOOD);
      await expect(page.getByText("2 payouts: 1,340.50 BRL")).toBeVisible();
      return page.getByText("The strictest line decides: each needs 2 approvals by other members.").count();
    })
    .toBe(1);
  await page.getByRole("button", { name: "Create 2 payouts" }).click();
  await page.getByRole("link", { name: "View batch" }).click();
  await page.waitForURL(/\/payouts\/batches\/pbt_/);
  for (const reference of ["INV-1", "INV-2"])
    await expect(page.getByRole("row", { name: reference })).toContainText("0 of 2");
});
