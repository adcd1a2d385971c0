// The typed client against a service that dies, and over lists of several pages.
import { Sluice } from "@/client/src/main";
import { type ApiKey, createMerchant } from "../support/merchant";
import { unused } from "./bodies";
import { expect, test } from "./parties";

const PAYMENTS = 20;

/** Retries last longer than any restart takes. */
const clientOf = (baseUrl: string, key: ApiKey) => new Sluice({ baseUrl, ...key, maximumRetries: 60 });

const newPayment = () => ({
  amount: 1050n,
  currency: "BRL",
  country: "BR",
  payment_method: "BR_PIX",
  merchant_reference: unused("client"),
});

test("calls outlast a service that is killed and restarted, and create each payment once", async ({
  startOwnService,
}) => {
  test.setTimeout(600_000);
  // A call that dies with the service holds its key until the lease ends.
  const service = await startOwnService({ env: { IDEMPOTENCY_LEASE_SECONDS: "5" } });
  const sluice = clientOf(service.baseUrl, (await createMerchant(service)).keys.test);
  const bodies = Array.from({ length: PAYMENTS }, newPayment);
  const first = sluice.paymentIntents.create(newPayment());
  const half = bodies.slice(0, PAYMENTS / 2).map((body) => sluice.paymentIntents.create(body));
  await first;
  await service.kill9();
  const rest = bodies.slice(PAYMENTS / 2).map((body) => sluice.paymentIntents.create(body));
  await service.restart();

  const created = await Promise.all([...half, ...rest]);
  for (const [index, { merchant_reference, amount }] of created.entries())
    expect([merchant_reference, amount]).toEqual([bodies[index]?.merchant_reference, 1050n]);
  const listed: string[] = [];
  for await (const { id } of sluice.paymentIntents.list({ limit: 7 })) listed.push(id);
  expect(listed.sort()).toEqual([...created, await first].map(({ id }) => id).sort());
});

test("a payout waits for approval, and a cancelled one has its outcome", async ({ service, ownMerchant }) => {
  const sluice = clientOf(service.baseUrl, ownMerchant.keys.test);
  const { id, amount } = await sluice.payoutIntents.create({
    amount: 2500n,
    currency: "BRL",
    country: "BR",
    merchant_reference: unused("payout"),
    recipient: { type: "bank_account", account_number: "000123456789", bank_code: "341", holder_name: "Ana Souza" },
  });
  const held = (await sluice.wallets.list()).find(({ currency }) => currency === "BRL")?.held;
  expect(held).toBe(amount);
  await expect(sluice.payoutIntents.wait(id, { withinMs: 1 })).rejects.toMatchObject({
    name: "OutcomePendingError",
    intent: { status: "requires_approval" },
  });
  const outcome = sluice.payoutIntents.wait(id);
  await sluice.payoutIntents.cancel(id, { reason: "entered twice" });
  expect(await outcome).toMatchObject({ status: "cancelled", failure_message: "entered twice" });
  await expect(sluice.payoutIntents.cancel(id)).rejects.toMatchObject({ code: "approval_required", status: 422 });
});
