// API keys: shown once, used, rolled with a grace period, revoked, and hidden from other roles.
import { expect, test } from "./fixtures";

/** The status of a request with a pair of keys. */
async function statusWith(baseUrl: string, publicKey: string, secretKey: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString("base64")}`;
  return (await fetch(`${baseUrl}/v1/payment_intents`, { headers: { authorization } })).status;
}

test("a developer creates a key, sees its secret once, uses it, rolls it with a grace period and revokes it", async ({
  page,
  service,
  openAs,
}) => {
  await openAs("developer", "/test/developers/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Web shop");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const pair = async () => [
    (await dialog.getByText(/^pk_test_/).textContent()) ?? "",
    (await dialog.getByText(/^sk_test_/).textContent()) ?? "",
  ];
  await expect(dialog.getByText(/^sk_test_/)).toBeVisible();
  const [publicKey = "", secretKey = ""] = await pair();
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await statusWith(service.baseUrl, publicKey, secretKey)).toBe(200);
  expect(await page.content()).not.toContain(secretKey);
  await page.reload();
  const row = page.getByRole("row", { name: publicKey });
  await expect(row).toContainText("Active");
  expect(await page.content()).not.toContain(secretKey);

  await row.getByRole("button", { name: "Roll Web shop" }).click();
  await dialog.getByLabel("Old key keeps working for").selectOption("1 hour");
  await dialog.getByRole("button", { name: "Roll key" }).click();
  await expect(dialog.getByText(/^sk_test_/)).toBeVisible();
  const [newPublicKey = "", newSecretKey = ""] = await pair();
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();
  await expect(row).toContainText("Being replaced");
  expect(await statusWith(service.baseUrl, publicKey, secretKey)).toBe(200);
  expect(await statusWith(service.baseUrl, newPublicKey, newSecretKey)).toBe(200);

  await row.getByRole("button", { name: "Revoke Web shop" }).click();
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await expect(row).toContainText("Revoked");
  await expect.poll(() => statusWith(service.baseUrl, publicKey, secretKey)).toBe(401);
  expect(await statusWith(service.baseUrl, newPublicKey, newSecretKey)).toBe(200);
});

test("a developer creates a key for reading only, from one network, with a last day, by keyboard", async ({
  page,
  service,
  openAs,
}) => {
  await openAs("developer", "/test/developers/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Reports");
  await dialog.getByLabel("What it may do").selectOption("Payments only");
  await dialog.getByLabel("What it may do").selectOption("Custom");
  const scope = (name: string) => dialog.getByRole("checkbox", { name });
  await expect(scope("payment_intents:write")).toBeChecked();
  await expect(scope("payout_intents:write")).not.toBeChecked();
  for (const name of ["payment_intents:write", "payment_intents:read", "payment_methods:read"]) {
    await scope(name).focus();
    await page.keyboard.press("Space");
  }
  await expect(dialog.getByRole("button", { name: "Create key" })).toBeDisabled();
  await dialog.getByLabel("What it may do").selectOption("Read only");
  await dialog.getByLabel("Networks").fill("127.0.0.0/8, ::1/128");
  await dialog.getByLabel("Last day").fill("2020-01-01");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("alert")).toContainText("must be in the future");
  await dialog.getByLabel("Last day").fill("2099-12-31");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const publicKey = (await dialog.getByText(/^pk_test_/).textContent()) ?? "";
  const secretKey = (await dialog.getByText(/^sk_test_/).textContent()) ?? "";
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();
  const row = page.getByRole("row", { name: publicKey });
  await expect(row).toContainText("payout_intents:read");
  await expect(row).not.toContainText("payout_intents:write");
  await expect(row).toContainText("127.0.0.0/8, ::1/128");
  await expect(row).toContainText("Ends");
  expect(await statusWith(service.baseUrl, publicKey, secretKey)).toBe(200);
});

test("an approver sees neither keys nor a link to them", async ({ page, openAs }) => {
  await openAs("approver", "/test/payouts");
  await expect(page.getByRole("link", { name: "API keys" })).toHaveCount(0);
  expect((await page.goto("/test/developers/keys"))?.status()).toBe(404);
});

test("a session alone does not create a live key: the password is asked for each time", async ({ page, openAs }) => {
  const owner = await openAs("owner", "/live/developers/keys");
  const create = (proof: object) =>
    page.request.post("/api/trpc/apiKeys.create", {
      data: { environment: "live", name: "Stolen", ...proof },
      headers: { "sec-fetch-site": "same-origin" },
    });
  for (const proof of [{}, { password: "not the password" }, { code: "000000" }]) {
    const refused = await create(proof);
    expect([refused.status(), await refused.text()]).toEqual([412, expect.stringContaining("password_required")]);
  }
  expect((await create({ password: owner.password })).ok()).toBe(true);
  expect((await create({})).status()).toBe(412);
});
