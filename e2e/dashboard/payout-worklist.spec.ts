// The queue of payouts as a worklist: what a row says, rows that stay in place, the panel, keys, and many at once.
import type { Page } from "@playwright/test";
import { payoutBody, RECIPIENT } from "../rest/bodies";
import type { Api } from "../support/api";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { signInTo } from "./members";
import { createPayout, readPayout } from "./payouts";
import { expectFits } from "./widths";

const ROW_PX = 56;
/** Past the gate: the worker sends it to the provider, which then pays it. */
const SENT = /^(processing|succeeded)$/;

const rowOf = (page: Page, name: string) => page.getByRole("row", { name });

/** The top edge and the height of every row, in px. */
function rowBoxes(page: Page): Promise<(readonly [top: number, height: number])[]> {
  return page.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return [Math.round(top), Math.round(height)] as const;
    }),
  );
}

/** Another payout of the same sum to the same account. */
async function createTwins(api: Api): Promise<void> {
  for (const name of ["Twin One", "Twin Two"]) {
    const recipient = { ...RECIPIENT, account_number: "777-1", holder_name: name };
    await api.post("/payout_intents", payoutBody({ amount: "9900", recipient }));
  }
}

test("a row says what the decision needs, fits every window, and keeps its place while others are decided", async ({
  page,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver");
  const long = `${"Companhia Brasileira de Distribuição ".repeat(4)}S.A.`;
  await createPayout(ownApi, long, { amount: "98765432", reference: `invoice-${"2026-".repeat(12)}` });
  await createTwins(ownApi);
  await createPayout(ownApi, "Padaria Estrela");
  await signInTo(page, approver, "/test/payouts?queue=mine");
  await page.setViewportSize({ width: 1440, height: 900 });

  await expect(rowOf(page, "Twin One")).toContainText("Duplicate?");
  await expect(rowOf(page, "Twin One")).toContainText("First time");
  const plain = rowOf(page, "Padaria Estrela");
  await expect(plain).toContainText("First time");
  await expect(plain).not.toContainText("Duplicate?");
  await expect(plain).toContainText("0 of 1 approvals");
  await expect(plain).toContainText(/expires in [67] d/);
  // 1,000,000.00 BRL, all of it still in the wallet.
  await expect(plain).toContainText("999,974.96 BRL");
  await expectFits(page);
  await expectAccessible(page, 0, "wide");

  const before = await rowBoxes(page);
  expect(new Set(before.map(([, height]) => height))).toEqual(new Set([ROW_PX]));
  await plain.getByRole("button", { name: /^Approve/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Approve/ })
    .click();
  await expect(plain).toContainText(/Processing|Succeeded/);
  await expect(plain.getByRole("link")).toBeFocused();
  expect(await rowBoxes(page)).toEqual(before);
});

test("an empty queue says that nothing waits; clearing the filters stays in the queue", async ({ page, openAs }) => {
  await openAs("approver", "/test/payouts?queue=mine");
  await expect(page.getByText("You’re all caught up")).toBeVisible();
  await expect(page.getByRole("button", { name: "Clear filters" })).toHaveCount(0);
  await page.goto("/test/payouts?queue=mine&currency=BRL");
  await expect(page.getByText("No payouts match")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL("/test/payouts?queue=mine");
  await expect(page.getByText("You’re all caught up")).toBeVisible();
});

test("the panel walks through the list, and keys alone select, approve and cancel", async ({
  page,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver");
  for (const name of ["Third", "Second", "First"]) await createPayout(ownApi, `Vendor ${name}`);
  await signInTo(page, approver, "/test/payouts?queue=mine");
  await rowOf(page, "Vendor First").getByText("Vendor First", { exact: true }).click();
  const panel = page.getByRole("region", { name: /^Payout of/ });
  await expect(panel).toContainText("Vendor First");
  await expect(panel).toContainText("First payment to this account.");
  await expect(panel.getByRole("button", { name: "Previous payout" })).toBeDisabled();
  await expectAccessible(page, 1);
  await page.keyboard.press("j");
  await expect(panel).toContainText("2 of 3 on this page");
  await expect(panel).toContainText("Vendor Second");
  await page.keyboard.press("a");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Approve/ })
    .click();
  await expect(panel).toContainText(/Processing|Succeeded/);
  await panel.getByRole("button", { name: "Next payout" }).click();
  await expect(panel).toContainText("Vendor Third");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(rowOf(page, "Vendor Third").getByRole("link")).toBeFocused();

  await page.keyboard.press("Space");
  await expect(panel).toContainText("Vendor Third");
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog").getByLabel("Reason")).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("x");
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  await page.keyboard.press("x");
  await expect(page.getByText("2 selected", { exact: true })).toBeVisible();
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Approve 2 payouts?" });
  await dialog.getByRole("button", { name: "Approve 2 payouts" }).click();
  await expect(page.getByRole("dialog", { name: "2 of 2 approved" })).toBeVisible();
});

test("a selection spans pages; all of it is cancelled for one reason, and the announcement covers no button", async ({
  page,
  ownApi,
  newMember,
}) => {
  const approver = await newMember("approver");
  const made = [];
  for (let number = 1; number <= 27; number += 1) made.push(await createPayout(ownApi, `Vendor No. ${number}.`));
  await signInTo(page, approver, "/test/payouts?queue=mine");
  await rowOf(page, "Vendor No. 27.")
    .getByRole("button", { name: /^Approve/ })
    .click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Approve/ })
    .click();
  await expect(page.getByRole("status").filter({ hasText: "Approved: 25.04 BRL" })).toBeVisible();
  await rowOf(page, "Vendor No. 26.").getByRole("checkbox").check();
  // The announcement of the approval is still there.
  await page.getByRole("button", { name: "Approve 1 selected" }).click();
  await page.getByRole("button", { name: "Not now" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  // Until the next page is there, the rows of this one stay.
  await expect(rowOf(page, "Vendor No. 1.")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await expect(page.getByText("3 selected", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Select all 26" }).click();
  await expect(page.getByText("26 selected", { exact: true })).toBeVisible();

  // Twenty-three of them are on the other page.
  await page.getByRole("button", { name: "Approve 26 selected" }).click();
  const approval = page.getByRole("dialog", { name: "Approve 26 payouts?" });
  await expect(approval.getByText("First time")).toHaveCount(26);
  await approval.getByRole("button", { name: "Not now" }).click();

  await page.getByRole("button", { name: "Cancel 26 selected" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel 26 payouts?" });
  await expect(dialog).toContainText("651.04 BRL");
  await dialog.getByLabel("Reason").fill("Wrong month");
  await expectAccessible(page, 2);
  await dialog.getByRole("button", { name: "Cancel 26 payouts" }).click();
  await expect(page.getByRole("dialog", { name: "26 of 26 cancelled" })).toBeVisible();
  expect(await readPayout(ownApi, made.at(0)?.id ?? "")).toMatchObject({ failure_message: "Wrong month" });
  expect(await readPayout(ownApi, made.at(-1)?.id ?? "")).toMatchObject({ status: expect.stringMatching(SENT) });
});
