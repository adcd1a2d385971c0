// Spellings of one account number are one recipient, before and after an upgrade.
import { beforeEach, expect, it } from "vitest";
import { isFirstTimeRecipient } from "@/server/db/payout-facts";
import { hmacHex } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import { makeLiveMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { accountDigests, openAccount } from "../account-numbers";
import { workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { type CreatePayout, createPayoutIntent } from "./create";
import { reindexAccounts } from "./reindex-accounts";

const SPELLINGS = ["GB29 NWBK 6016-1331 9268 19", "gb29nwbk60161331926819", "GB29NWBK60161331926819"] as const;

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeLiveMerchant();
});

function command(accountNumber: string, changes: Partial<CreatePayout> = {}): CreatePayout {
  return payout({
    recipient: { type: "bank_account", accountNumber, bankCode: "001", holderName: "Ana Souza" },
    ...changes,
  });
}
const create = (one: CreatePayout) => createPayoutIntent(merchant.context, one, withoutIdempotency());
const isFirstTime = (accountNumber: string) =>
  isFirstTimeRecipient(merchant.scope, {
    accountDigests: accountDigests(merchant.merchantId, accountNumber),
    bankCode: "001",
    holderName: "Ana Souza",
  });

async function settle(one: CreatePayout) {
  const { intent } = await create(one);
  installScriptedProvider().answer = { kind: "settled", amount: 25_000n, currency: "BRL", providerReference: "psp-1" };
  await workOnDueIntents("payout_intent", 50, 30_000);
  return intent;
}

/** Stores the digest of a number as earlier releases did: as typed. */
async function digestAsTyped(id: string, accountNumber: string): Promise<void> {
  const { id: keyId, key } = keyRing().current("account-digest");
  const digest = `${keyId}.${hmacHex(key, `${merchant.merchantId}|${accountNumber}`)}`;
  await tamper("payout_intent", "UPDATE payout_intent SET account_digest = $1 WHERE id = $2", digest, id);
}

beforeEach(() => {
  installScriptedProvider();
});

it("a number is one recipient with or without spaces, hyphens and capitals; it is dispatched as given", async () => {
  const first = command(SPELLINGS[0]);
  const { intent } = await create(first);
  expect(openAccount(intent)).toBe(SPELLINGS[0]);
  expect(intent.recipient.accountLast4).toBe("6819");
  for (const spelling of SPELLINGS) {
    const again = await create(command(spelling, { merchantReference: first.merchantReference }));
    expect([again.completion, again.intent.id]).toEqual(["repeated", intent.id]);
  }
  const other = command(`${SPELLINGS[0]}0`, { merchantReference: first.merchantReference });
  await expect(create(other)).rejects.toMatchObject({ code: "duplicate_merchant_reference" });
  expect((await create(command("000-12-34"))).intent.recipient.accountLast4).toBe("1234");
});

it("a paid recipient is known in every spelling of the number", async () => {
  await settle(command(SPELLINGS[0]));
  expect(await Promise.all([...SPELLINGS, "GB29"].map(isFirstTime))).toEqual([false, false, false, true]);
});

it("a payout from before the upgrade matches in normal form at once, and is found so after a reindex", async () => {
  const first = command(SPELLINGS[0]);
  const intent = await settle(first);
  await digestAsTyped(intent.id, SPELLINGS[0]);
  const again = await create(command(SPELLINGS[1], { merchantReference: first.merchantReference }));
  expect([again.completion, again.intent.id]).toEqual(["repeated", intent.id]);
  expect(await Promise.all(SPELLINGS.map(isFirstTime))).toEqual([false, true, true]);
  expect(await reindexAccounts()).toEqual({ indexed: 1, unreadable: 0 });
  expect(await reindexAccounts()).toEqual({ indexed: 0, unreadable: 0 });
  expect(await Promise.all(SPELLINGS.map(isFirstTime))).toEqual([false, false, false]);
});
