// Topping up the wallet from the dashboard.
import { expectAccessible } from "./accessibility";
import { expect, test } from "./fixtures";
import { untilLive } from "./members";

test("a member tops the wallet up: a quote, what to send where, and one top-up per reference", async ({
  page,
  ownApi,
  openAs,
}) => {
  await openAs("finance", "/test/topups");
  const open = async () => {
    await page.getByRole("button", { name: "New top-up" }).click();
    const dialog = page.getByRole("dialog", { name: "New top-up" });
    await dialog.getByLabel("Wallet").selectOption("BRL");
    await dialog.getByLabel("Amount in BRL").fill("1,000.00");
    await dialog.getByLabel("Country").selectOption({ label: "Brazil" });
    await dialog.getByLabel("Your reference").fill("FUND-1");
    return dialog;
  };
  const dialog = await open();
  await dialog.getByLabel("Amount in BRL").fill("1000,00");
  await expect(dialog.getByText("Enter a number such as 1250.50, with no more decimals than BRL has.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Get a quote" })).toBeDisabled();
  await dialog.getByLabel("Amount in BRL").fill("1,000.00");
  await dialog.getByLabel("Network").fill("carrier pigeon");
  await dialog.getByRole("button", { name: "Get a quote" }).click();
  await expect(dialog.getByRole("alert")).toContainText("source.network must be one of");
  await expectAccessible(page, 0);
  await dialog.getByLabel("Network").fill("tron");
  await dialog.getByRole("button", { name: "Get a quote" }).click();
  const done = page.getByRole("dialog", { name: "Top-up created" });
  await expect(done).toContainText("Your wallet receives 1,000.00 BRL");
  await expect(done.getByText("tron", { exact: true })).toBeVisible();
  await expectAccessible(page, 1);
  const { data } = (await ownApi.get("/topup_intents")).body as { data: { id: string; destination: object }[] };
  expect(data).toEqual([expect.objectContaining({ merchant_reference: "FUND-1", status: "requires_payment" })]);
  await done.getByRole("link", { name: "View top-up" }).click();
  await page.waitForURL(`/test/topups/${data[0]?.id}`);
  await page.goto("/test/topups");
  await untilLive(page);
  await (await open()).getByRole("button", { name: "Get a quote" }).click();
  await expect(page.getByRole("dialog", { name: "This top-up exists already" })).toContainText(
    "Nothing new was created",
  );
  expect(((await ownApi.get("/topup_intents")).body as { data: unknown[] }).data).toHaveLength(1);
});

test("members without the role see no way to create a top-up", async ({ page, openAs }) => {
  await openAs("approver", "/test/topups");
  await expect(page.getByRole("button", { name: "New top-up" })).toHaveCount(0);
});
