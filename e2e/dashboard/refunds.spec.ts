// Refunds of money in suspense: one member proposes, another confirms, and people end one that gets no answer.
import type { Page } from "@playwright/test";
import { paymentBody } from "../rest/bodies";
import type { Api } from "../support/api";
import { command } from "../support/operator";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";

const CLOCK_STEP_SECONDS = 11 * 60;

/** A payment whose money came after its end, so that it is in suspense; returns its reference. */
async function createLatePayment(api: Api, amount: string): Promise<string> {
  const body = paymentBody({ amount });
  const { id } = (await api.post("/payment_intents", body)).body as { id: string };
  for (const outcome of ["expired", "succeeded"]) await api.post("/sandbox/simulate", { id, outcome });
  return body.merchant_reference;
}

/** The opened exception of a payment. */
async function openException(page: Page, reference: string) {
  const line = page.locator("summary", { hasText: reference });
  const details = page.locator("details", { has: line });
  if ((await details.getAttribute("open")) === null) await line.click();
  return details;
}

async function propose(page: Page, reference: string, sum: RegExp): Promise<void> {
  const details = await openException(page, reference);
  await details.getByRole("button", { name: "Settle…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Refund it through the provider").check();
  await expect(dialog.getByText("Nothing is sent before another person confirms it.")).toBeVisible();
  await dialog.getByLabel("Notes (required)").fill("Paid after the order was cancelled.");
  await dialog.getByRole("button", { name: sum }).click();
  await expect(details).toContainText("Refund to confirm");
}

test("finance proposes a refund and cannot confirm it; an owner confirms it, and the payer's money leaves", async ({
  page,
  ownApi,
  newMember,
  otherBrowser,
  openAs,
}) => {
  test.slow();
  const reference = await createLatePayment(ownApi, "1050");
  // Authority that is younger than a proposal does not count.
  const owner = await newMember("owner");
  await openAs("finance,approver", "/test/exceptions");
  await propose(page, reference, /^Propose a refund of 10\.50 BRL/);
  const own = await openException(page, reference);
  await expect(own).toContainText("You proposed it, so another person confirms it.");
  await expect(own.getByRole("button", { name: "Confirm refund…" })).toHaveCount(0);
  await expect(own.getByRole("button", { name: "Settle…" })).toHaveCount(0);
  await expectAccessible(page, 0);

  const second = await otherBrowser(owner, "/test/exceptions");
  const seen = await openException(second, reference);
  await seen.getByRole("button", { name: "Confirm refund…" }).click();
  const question = second.getByRole("dialog", { name: "Confirm the refund of 10.50 BRL?" });
  await expect(question).toContainText("Paid after the order was cancelled.");
  await question.getByRole("button", { name: "Refund 10.50 BRL" }).click();
  await expect(question).toHaveCount(0);
  await second.getByRole("button", { name: /^Resolved/ }).click();
  await expect(async () => {
    await second.reload();
    await expect(second.locator("summary", { hasText: reference })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const done = await openException(second, reference);
  await expect(done.getByRole("list", { name: "Refunds" })).toContainText("The payer has the money.");
  await expect(done.getByRole("list", { name: "Refunds" })).toContainText("Confirmed by");
});

test("the proposer's own call is refused; a refund that was decided meanwhile is not decided twice", async ({
  page,
  ownApi,
  newMember,
  otherBrowser,
  openAs,
}) => {
  test.slow();
  const reference = await createLatePayment(ownApi, "1050");
  const admin = await newMember("admin");
  const person = await openAs("owner", "/test/exceptions");
  await propose(page, reference, /^Propose a refund/);
  const input = encodeURIComponent(JSON.stringify({ environment: "test" }));
  const list = (await (await page.request.get(`/api/trpc/exceptions.list?input=${input}`)).json()) as {
    result: { data: { data: { refunds: { id: string }[] }[] } };
  };
  const id = list.result.data.data[0]?.refunds[0]?.id;
  const own = await page.request.post("/api/trpc/refunds.confirm", {
    data: { environment: "test", id },
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect(await own.text()).toContain("The person who proposed a refund cannot confirm it.");

  const second = await otherBrowser(admin, "/test/exceptions");
  await (await openException(second, reference)).getByRole("button", { name: "Confirm refund…" }).click();
  const withdrawal = await otherBrowser(person, "/test/exceptions");
  await (await openException(withdrawal, reference)).getByRole("button", { name: "Withdraw…" }).click();
  await withdrawal.getByRole("button", { name: "Withdraw refund" }).click();
  await expect(await openException(withdrawal, reference)).toContainText("Refund rejected");
  await second.getByRole("button", { name: "Refund 10.50 BRL" }).click();
  await expect(second.getByRole("dialog").getByRole("alert")).toContainText("already rejected");
  await second.getByRole("button", { name: "Cancel" }).click();
  await expect(await openException(second, reference)).toContainText("Refund rejected");
});

test("a refund without an answer ends once a member has stated how, and an operator has confirmed that", async ({
  page,
  service,
  ownApi,
  newMember,
  otherBrowser,
  openAs,
}) => {
  test.setTimeout(240_000);
  const reference = await createLatePayment(ownApi, "1008");
  const owner = await newMember("owner");
  await openAs("finance", "/test/exceptions");
  await propose(page, reference, /^Propose a refund/);
  const second = await otherBrowser(owner, "/test/exceptions");
  const seen = await openException(second, reference);
  await seen.getByRole("button", { name: "Confirm refund…" }).click();
  await second.getByRole("button", { name: "Refund 10.08 BRL" }).click();
  await expect(seen).toContainText("Refund on its way");
  await page.reload();
  await expect(await openException(page, reference)).toContainText("Refund on its way");
  await expect(page.getByRole("button", { name: "State how it ended…" })).toHaveCount(0);

  // Evidence says nothing of a call that may still be in flight.
  await ownApi.post("/sandbox/clock", { advance_seconds: CLOCK_STEP_SECONDS });
  const state = async () => {
    await (await openException(second, reference)).getByRole("button", { name: "State how it ended…" }).click();
    const dialog = second.getByRole("dialog");
    await dialog.getByLabel("It was not refunded").check();
    await dialog.getByLabel("Evidence (required)").fill("Letter of the provider of 2026-11-24.");
    await expectAccessible(second, 0);
    await dialog.getByRole("button", { name: "Propose" }).click();
    await expect(dialog).toHaveCount(0);
    const found = seen.getByRole("region", { name: "How it ended" }).last();
    await expect(found).toContainText("Awaits an operator");
    return /mres_[0-9a-z]+/.exec(await found.innerText())?.[0] ?? "";
  };
  const id = await state();
  await command(service, "intents", "confirm-resolution", "--id", id, "--operator", "Jan Novak");
  await second.reload();
  const ended = await openException(second, reference);
  await expect(ended).toContainText("Refund failed");
  await expect(ended).toContainText("Operator “jan novak”");
  await expect(ended.getByRole("button", { name: "Settle…" })).toBeVisible();
});
