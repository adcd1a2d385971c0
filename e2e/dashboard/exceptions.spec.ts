// The exceptions page: a person takes an exception on and decides it once, with a reason.
import { paymentBody } from "../rest/bodies";
import { openBridge } from "../rest/bridge";
import type { Api } from "../support/api";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { createMember, fillIn, givePassword } from "./members";
import { createPaid, importSettlementFile } from "./settlement-files";

/** A payment whose money came after its end, so that it is in suspense; returns its reference. */
async function createLatePayment(api: Api): Promise<string> {
  const body = paymentBody();
  const { id } = (await api.post("/payment_intents", body)).body as { id: string };
  for (const outcome of ["expired", "succeeded"]) await api.post("/sandbox/simulate", { id, outcome });
  return body.merchant_reference;
}

test("finance takes late money on and credits it with a lasting reason; a second decision is rejected in place", async ({
  page,
  ownApi,
  otherBrowser,
  openAs,
}) => {
  const reference = await createLatePayment(ownApi);
  const person = await openAs("finance", "/test/exceptions");
  const second = await otherBrowser(person, "/test/exceptions");

  const line = page.locator("summary", { hasText: reference });
  await line.click();
  await page.getByRole("button", { name: "Assign to me" }).click();
  await expect(line).toContainText("Assigned to");
  await page.getByRole("button", { name: "Settle…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Credit it to the wallet").check();
  await expect(dialog.getByRole("button", { name: /^Credit 10\.50 BRL/ })).toBeDisabled();
  await dialog.getByLabel("Notes (required)").fill("The customer still wants the goods.");

  await second.locator("summary", { hasText: reference }).click();
  await second.getByRole("button", { name: "Settle…" }).click();
  await second.getByLabel("Return to payer").check();
  await second.getByLabel("Notes (required)").fill("Too late.");
  await dialog.getByRole("button", { name: /^Credit 10\.50 BRL/ }).click();
  await expect(page.getByText("Nothing needs a person")).toBeVisible();
  await second.getByRole("button", { name: /^Note the return/ }).click();
  await expect(second.getByRole("dialog").getByRole("alert")).toContainText("already resolved");
  await second.getByRole("button", { name: "Cancel" }).click();
  await expect(second.getByText("Nothing needs a person")).toBeVisible();

  await page.getByRole("button", { name: /^Resolved/ }).click();
  await line.click();
  await expect(page.getByText("The customer still wants the goods.")).toBeVisible();
  await page.getByRole("link", { name: "Wallet" }).click();
  await expect(page.getByRole("row", { name: /Settled by a decision/ })).toContainText("+10.50");
});

test("finance assigns and resolves several at once, and sees which failed and why", async ({
  page,
  service,
  ownApi,
  openAs,
}) => {
  test.setTimeout(240_000);
  const [first, second] = [await createPaid(ownApi), await createPaid(ownApi)];
  await expect(importSettlementFile(service, { [first]: "1040", [second]: "1041" })).rejects.toThrow();
  const late = await createLatePayment(ownApi);
  await openAs("finance", "/test/exceptions");
  await page.getByLabel("Select all on this page").check();
  await expect(page.getByText("3 selected")).toBeVisible();
  await page.getByRole("button", { name: "Assign…" }).first().click();
  const dialog = page.getByRole("dialog");
  await expectAccessible(page, 0);
  await dialog.getByRole("button", { name: "Assign 3 exceptions" }).click();
  await expect(dialog.getByRole("heading")).toHaveText("3 of 3 assigned");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.locator("summary", { hasText: "Assigned to" })).toHaveCount(3);

  await page.getByLabel("Select all on this page").check();
  await page.getByRole("button", { name: "Resolve…" }).first().click();
  await expect(dialog.getByText("1 with money in suspense will be refused")).toBeVisible();
  const resolve = dialog.getByRole("button", { name: "Resolve: 3 exceptions" });
  await expect(resolve).toBeDisabled();
  await dialog.getByLabel("Notes for all of them (required)").fill("The provider has corrected its file.");
  await expectAccessible(page, 0);
  await resolve.click();
  await expect(dialog.getByRole("heading")).toHaveText("2 of 3 resolved");
  await expect(dialog.getByRole("listitem").filter({ hasText: late })).toContainText(
    "This exception's money is in suspense; settle it instead",
  );
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.locator("summary")).toHaveCount(1);
  await expect(page.locator("summary", { hasText: late })).toBeVisible();
});

test("finance assigns exceptions to a colleague, who finds them under a filter of the address", async ({
  page,
  ownApi,
  newMember,
  openAs,
  otherBrowser,
}) => {
  const [one, two] = [await createLatePayment(ownApi), await createLatePayment(ownApi)];
  const colleague = await newMember("admin");
  await newMember("developer");
  await openAs("finance", "/test/exceptions");
  const line = (text: string) => page.locator("summary", { hasText: text });
  await line(one).click();
  await page.getByRole("button", { name: "Assign…" }).click();
  const dialog = page.getByRole("dialog");
  // Finance itself, the colleague and nobody; no developer.
  await expect(dialog.getByLabel("Assign to").getByRole("option")).toHaveCount(3);
  await dialog.getByLabel("Assign to").selectOption({ label: colleague.email });
  await dialog.getByRole("button", { name: "Assign 1 exception" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(line(one)).toContainText(`Assigned to ${colleague.email}`);

  await page.getByLabel("Who owns it").selectOption("Unassigned");
  await expect(line(one)).toHaveCount(0);
  await expect(line(two)).toBeVisible();
  await page.getByLabel("Who owns it").selectOption({ label: colleague.email });
  await expect(line(one)).toBeVisible();
  await expect(line(two)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Open 1", exact: true })).toBeVisible();

  const theirs = await otherBrowser(colleague, "/test/exceptions?owner=me");
  await expect(theirs.getByLabel("Who owns it")).toHaveValue("me");
  await expect(theirs.locator("summary", { hasText: one })).toBeVisible();
  await expect(theirs.locator("summary")).toHaveCount(1);
  await theirs.locator("summary").click();
  await theirs.getByRole("button", { name: "Assign…" }).click();
  await theirs.getByLabel("Assign to").selectOption("Nobody");
  await theirs.getByRole("button", { name: "Assign 1 exception" }).click();
  await expect(theirs.locator("summary")).toHaveCount(0);
});

test("finance reads a callback that could not be applied, and applies it again once its cause is fixed", async ({
  page,
}) => {
  test.slow();
  const bridge = await openBridge({ config: { exponents: { BRL: 3 } } });
  try {
    const { service } = bridge.world;
    const body = paymentBody();
    const { id } = (await bridge.live.post("/payment_intents", body)).body as { id: string };
    // A thousandth of a real cannot be expressed in centavos.
    const receipt = { receipt_id: "receipt-1", amount: "10505", currency: "BRL" };
    const changes = { status: "succeeded", ...receipt, holder_name: "Ana Souza" };
    const reference = await bridge.referenceOf(id);
    await bridge.psp.sendCallback({ reference, changes });
    const person = await createMember(service, bridge.merchant, "finance");
    await page.goto(`${service.baseUrl}/sign-in?next=/live/exceptions`);
    await givePassword(page, person);
    await fillIn(page, person);
    const line = page.locator("summary", { hasText: body.merchant_reference });
    await line.click();
    const details = page.locator("details", { has: line });
    await expect(details).toContainText("a sum that our minor units cannot express");
    await expect(details).toContainText('"amount": "10505"');
    await expect(details).not.toContainText("Ana Souza");
    await page.getByRole("button", { name: "Apply again" }).click();
    await expect(details.getByRole("alert")).toContainText("It could not be applied: a sum that");

    await service.restart({ PROVIDERS: JSON.stringify([bridge.psp.config()]) });
    await bridge.world.reconnect();
    await page.getByRole("button", { name: "Apply again" }).click();
    await expect(line).toContainText("Amount mismatch");
    await page.getByRole("button", { name: /^Resolved/ }).click();
    await page.locator("summary", { hasText: "Callback not applied" }).click();
    await expect(page.getByText("The callback was applied.")).toBeVisible();
  } finally {
    await bridge.close();
  }
});

test("approvers and developers see neither exceptions nor a link to them", async ({ page, openAs }) => {
  await openAs("approver,developer", "/test/payments");
  await expect(page.getByRole("link", { name: "Exceptions" })).toHaveCount(0);
  expect((await page.goto("/test/exceptions"))?.status()).toBe(404);
});
