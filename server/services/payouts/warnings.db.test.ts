// Warnings for approvers: a recipient that was never paid, and another payout of the same sum to the same account.
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import type { CreatePayout } from "@/server/services/payouts/create";
import { makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { advanceSandboxClock } from "../sandbox/clock";
import { simulate } from "../sandbox/simulate";
import { approvePayoutIntent } from "./approve";
import { cancelPayoutIntent } from "./cancel";
import { createPayoutIntent } from "./create";
import { payoutWarnings } from "./warnings";

const DAY_S = 24 * 60 * 60;

let merchant: TestMerchant;
let stranger: TestMerchant;
let accounts = 0;
beforeAll(async () => {
  [merchant, stranger] = [await makeMerchant(), await makeMerchant()];
});
afterAll(() => disconnect());

/** An account that no payout has named yet. */
function newRecipient(): CreatePayout["recipient"] {
  accounts += 1;
  return { type: "bank_account", accountNumber: `77-${accounts}`, bankCode: "001", holderName: "Ana Souza" };
}

async function created(changes: Partial<CreatePayout>, { context }: TestMerchant = merchant): Promise<string> {
  return (await createPayoutIntent(context, payout(changes), withoutIdempotency())).intent.id;
}

async function paid(changes: Partial<CreatePayout>, of: TestMerchant = merchant): Promise<string> {
  const id = await created(changes, of);
  await approvePayoutIntent(of.byMember(), { id });
  await simulate(of.context, id, "succeeded");
  return id;
}

async function warningsOf(id: string) {
  const [warnings] = await payoutWarnings(merchant.scope, [id]);
  return [warnings?.isFirstTimeRecipient, warnings?.repeated?.id ?? null];
}

it("a recipient is new until a payout to the same account, bank and holder has succeeded", async () => {
  const recipient = newRecipient();
  const first = await created({ recipient, amount: "100" });
  await paid({ recipient, amount: "200" }, stranger);
  expect(await warningsOf(first)).toEqual([true, null]);
  await paid({ recipient, amount: "300" });
  expect(await warningsOf(first)).toEqual([false, null]);
  for (const change of [{ holderName: "Ana Lima" }, { bankCode: "002" }, { accountNumber: "77-0" }]) {
    expect(await warningsOf(await created({ recipient: { ...recipient, ...change } }))).toEqual([true, null]);
  }
});

it("the same sum to the same account is a repetition, unless it was cancelled, long ago, or is another's", async () => {
  const recipient = newRecipient();
  const id = await created({ recipient });
  await created({ recipient }, stranger);
  await created({ recipient, amount: "25001" });
  expect(await warningsOf(id)).toEqual([true, null]);
  const again = await created({ recipient });
  expect(await warningsOf(id)).toEqual([true, again]);
  expect(await warningsOf(again)).toEqual([true, id]);
  await cancelPayoutIntent(merchant.context, { id: again, reason: null }, withoutIdempotency());
  expect(await warningsOf(id)).toEqual([true, null]);
  const old = await paid({ recipient });
  expect(await warningsOf(id)).toEqual([false, old]);
  await advanceSandboxClock(merchant.context, 8 * DAY_S, withoutIdempotency());
  expect(await warningsOf(await created({ recipient }))).toEqual([false, null]);
});

it("a payout from before a rotation of keys is found by the digest that was added later", async () => {
  const former = await paid({ recipient: newRecipient() });
  const id = await created({ recipient: newRecipient() });
  expect(await warningsOf(id)).toEqual([true, null]);
  await query(
    `INSERT INTO payout_account (merchant_id, payout_id, digest)
     SELECT merchant_id, $1, account_digest FROM payout_intent WHERE id = $2`,
    former,
    id,
  );
  expect(await warningsOf(id)).toEqual([false, null]);
});

it("says nothing about payouts that do not await approval, and about those of others", async () => {
  const recipient = newRecipient();
  const [theirs, done] = [await created({ recipient }, stranger), await paid({ recipient })];
  expect(await payoutWarnings(merchant.scope, [theirs, done])).toEqual([]);
  expect(await payoutWarnings({ ...merchant.scope, environment: "live" }, [theirs, done])).toEqual([]);
});
