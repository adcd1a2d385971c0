// A merchant that the operator has suspended, over the REST API.
import { createKey } from "../support/merchant";
import { paymentBody, payoutBody, topupBody, unused } from "./bodies";
import { createPayout, refusalOf, walletOf } from "./calls";
import { expect, test } from "./parties";

test("reads and cancellations work, creations answer 403 before validation, and all of it ends with the suspension", async ({
  api,
  ownMerchant,
  command,
}) => {
  const { id } = await createPayout(api);
  const before = await walletOf(api, "BRL");
  await command("merchants", "suspend", "--merchant", ownMerchant.id, "--reason", "Suspected fraud.");
  // An invalid body is answered 400 until the process knows of the suspension, within a second.
  await expect.poll(async () => (await api.post("/payment_intents", { amount: "nothing" })).status).toBe(403);
  const withKey = { headers: { "idempotency-key": unused("key") } };
  for (const answer of [
    await api.post("/payout_intents", payoutBody()),
    await api.post("/topup_intents", topupBody(), withKey),
    await api.post("/webhook_endpoints", { url: "https://example.com/hooks" }),
    await api.post("/payment_intents", paymentBody()),
  ])
    expect(refusalOf(answer, 403)).toMatchObject({ code: "merchant_suspended" });
  for (const path of ["/payment_intents", `/payout_intents/${id}`, "/wallets", "/events", "/webhook_endpoints"])
    expect((await api.get(path)).status, path).toBe(200);
  expect(await walletOf(api, "BRL")).toEqual(before);
  expect((await api.post(`/payout_intents/${id}/cancel`, {})).status).toBe(202);

  await command("merchants", "resume", "--merchant", ownMerchant.id, "--reason", "Cleared.");
  await expect.poll(async () => (await api.post("/payment_intents", paymentBody())).status).toBe(201);
  // The refusal is not stored: the same request under the same key now creates.
  expect((await api.post("/topup_intents", topupBody(), withKey)).status).toBe(201);
});

test("the scope of a key is asked before the suspension", async ({ ownMerchant, command, api, apiFor, service }) => {
  const readOnly = apiFor(await createKey(service, ownMerchant.id, "test", "--scopes", "wallets:read"));
  await command("merchants", "suspend", "--merchant", ownMerchant.id, "--reason", "Suspected fraud.");
  await expect.poll(async () => (await api.post("/payment_intents", paymentBody())).status).toBe(403);
  expect(refusalOf(await readOnly.post("/payment_intents", paymentBody()), 403).code).toBe("forbidden");
});
