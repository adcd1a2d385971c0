// The search: the field in the header, the keys, what it finds, and for whom.

import { paymentBody, topupBody } from "../rest/bodies";
import { createApi } from "../support/api";
import { createMerchant } from "../support/merchant";
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { signInTo, untilLive } from "./members";
import { createPayout } from "./payouts";
import { saveRecipient } from "./recipients";
import { expectFits } from "./widths";

const FIELD = "Search by reference, name, amount or id";

test("finance finds payments, payouts, top-ups, recipients and events by what is on a slip of paper", async ({
  page,
  ownApi,
  openAs,
}) => {
  const payment = (
    await ownApi.post("/payment_intents", paymentBody({ amount: "123456", merchant_reference: "INV-2026-0004" }))
  ).body as { id: string };
  await ownApi.post("/sandbox/simulate", { id: payment.id, outcome: "succeeded" });
  const payout = await createPayout(ownApi, "José da Conceição", { reference: "INV-2026-0005" });
  const headers = { "idempotency-key": crypto.randomUUID() };
  await ownApi.post("/topup_intents", { ...topupBody(), merchant_reference: "INV-2026-0006" }, { headers });
  await openAs("finance", "/test");
  await saveRecipient(page, "Conceição Padaria");

  await page.getByRole("button", { name: FIELD }).click();
  const field = page.getByRole("combobox", { name: FIELD });
  const option = page.getByRole("option");
  await expect(field).toBeFocused();
  // The worker fills the search a moment after the creates. The last of them is filled last.
  await field.fill("inv-2026-0006");
  await expect(option).toHaveText([/INV-2026-0006/]);
  await field.fill("inv-2026");
  await expect(option.filter({ hasText: "INV-2026" })).toHaveCount(3);
  await expect(page.getByRole("group", { name: "Payments" }).getByRole("option")).toHaveText(
    /1,234\.56 BRL.*Succeeded.*INV-2026-0004/,
  );
  await expectAccessible(page, 0);
  await expectAccessible(page, 1);
  await expectFits(page);

  await field.fill("1.234,56");
  await expect(option).toHaveText([/1,234\.56 BRL/]);
  await field.fill("conceicao");
  await expect(option).toHaveText([
    /25\.04 BRL.*José da Conceição · INV-2026-0005/,
    /Conceição Padaria.*Account ending/,
  ]);
  await expect(option.first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(option.nth(1)).toHaveAttribute("aria-selected", "true");
  await expect(field).toHaveAttribute("aria-activedescendant", (await option.nth(1).getAttribute("id")) ?? "");
  await page.keyboard.press("ArrowUp");
  await expect(option.first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/test/payouts/${payout.id}`);
  await expect(field).toHaveCount(0);

  // Enter waits for what the typed text finds, and never opens what the text before had found.
  await page.keyboard.press("Control+k");
  await field.fill("inv-2026-0004");
  await expect(option).toHaveText([/INV-2026-0004/]);
  await field.fill("inv-2026-0005");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/test/payouts/${payout.id}`);
  await expect(field).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await field.fill(payment.id);
  await expect(page.getByRole("group", { name: "Events" }).getByRole("option")).toHaveText(/payment_intent\.succeeded/);
  await page.getByRole("group", { name: "Payments" }).getByRole("option").click();
  await expect(page).toHaveURL(`/test/payments/${payment.id}`);

  await page.keyboard.press("Control+k");
  await field.fill("no such thing");
  await expect(page.getByText("Nothing matches.")).toBeVisible();
  await expectAccessible(page, 2);
  await expectAccessible(page, 3);
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
});

test("what was created a moment ago appears without another key", async ({ page, ownApi, openAs }) => {
  await openAs("finance", "/test");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: FIELD });
  await field.fill("too-new");
  await expect(page.getByText("Nothing matches.")).toBeVisible();
  await field.fill("");
  const answer = await ownApi.post("/payment_intents", paymentBody({ merchant_reference: "too-new-1" }));
  expect(answer.status).toBe(201);
  await field.fill("too-new-1");
  await expect(page.getByRole("option")).toHaveText([/too-new-1/]);
});

test("a member finds pages of the own roles, and nothing of another merchant or environment", async ({
  page,
  service,
  validateAnswer,
  ownApi,
  newMember,
}) => {
  const stranger = await createMerchant(service);
  const theirs = await createPayout(createApi(service.baseUrl, stranger.keys.test, validateAnswer), "Ana Alheia");
  const own = await createPayout(ownApi, "Ana Própria", { reference: "own-1" });
  const developer = await newMember("developer");
  await signInTo(page, developer, "/test/webhooks");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: FIELD });
  const option = page.getByRole("option");
  await field.fill("api keys");
  await expect(option).toHaveText([/API keys.*Test/, /API keys.*Live/]);
  await field.fill("members");
  await expect(page.getByText("Nothing matches.")).toBeVisible();
  await field.fill("ana p");
  await expect(option).toHaveText([/Ana Própria/]);
  await field.fill("ana");
  await expect(option).toHaveText([/Ana Própria/]);
  await field.fill(theirs.id);
  // The address of a whole id is offered before the service has answered; its page says that there is nothing.
  await expect(page.getByRole("listbox")).not.toContainText("Ana Alheia");
  await page.goto("/live");
  await untilLive(page);
  await page.keyboard.press("Control+k");
  for (const text of ["own-1", "ana própria"]) {
    await field.fill(text);
    await expect(page.getByText("Nothing matches.")).toBeVisible();
  }
  expect(own.environment).toBe("test");
});
