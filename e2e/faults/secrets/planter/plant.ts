// Secrets that pass through the service's own services, many at once.
import { query } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { createApiKey } from "@/server/services/api-keys/create";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createMerchant } from "@/server/services/merchants/create";
import { operatorContext } from "@/server/services/merchants/operator";
import { sealRecipientAccount } from "@/server/services/recipients/accounts";
import { saveRecipient } from "@/server/services/recipients/save";
import { beginTotp } from "@/server/services/sign-in/totp";
import { createWebhookEndpoint } from "@/server/services/webhooks/create-endpoint";
import { adoptPolicy, makeLiveMerchant, type TestMerchant } from "@/server/testing/merchant";
import { numberOf } from "./number";

/** A secret that was given to the service or made by it. */
export interface Planted {
  readonly kind: "recipient" | "webhook endpoint" | "one-time codes" | "API key";
  readonly merchantId: string;
  /** Of the row that has it. */
  readonly id: string;
  readonly secret: string;
  /** The public key, of an API key. */
  readonly publicKey?: string;
}

interface Keys {
  readonly publicKey: string;
  readonly secretKey: string;
}

export interface PlantedMerchant {
  readonly id: string;
  readonly keys: { readonly test: Keys; readonly live: Keys };
}

/** Endpoints that an environment can have. */
const ENDPOINTS = 10;
const AT_ONCE = 5_000;

function inTest({ merchantId, byMember }: TestMerchant) {
  const scope = { merchantId, environment: "test" as const };
  return { scope, byMember: () => ({ ...byMember(), scope }) };
}

/** Creates a merchant with money whose payouts need no approval, in both environments. */
export async function plantMerchant(): Promise<{ readonly planted: PlantedMerchant; readonly merchant: TestMerchant }> {
  const merchant = await makeLiveMerchant();
  await adoptPolicy({ ...merchant, ...inTest(merchant) }, { rules: [], defaultApprovals: 0 });
  const keyOf = (environment: "test" | "live") =>
    createApiKey(operatorContext(merchant.merchantId, environment), environment);
  const keys = { test: await keyOf("test"), live: await keyOf("live") };
  return { planted: { id: merchant.merchantId, keys }, merchant };
}

async function plantEndpoints(merchantId: string): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (let n = 0; n < ENDPOINTS; n += 1) {
    const command = { url: `https://93.184.215.14/${n}`, description: "", eventTypes: null };
    const { intent } = await createWebhookEndpoint(operatorContext(merchantId, "test"), command, withoutIdempotency());
    const { endpoint, secret } = intent;
    if (secret) planted.push({ kind: "webhook endpoint", merchantId, id: endpoint.id, secret });
  }
  return planted;
}

async function plantCodes(merchantId: string, count: number): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (let n = 0; n < count; n += 1) {
    const memberId = newId("member");
    await query(
      `INSERT INTO member (merchant_id, id, email, password_hash, roles, authority_test_from, authority_live_from)
       VALUES ($1, $2, $2 || '@shop.example', 'none', ARRAY['approver'], '2020-01-01', '2020-01-01')`,
      merchantId,
      memberId,
    );
    const { secret } = await beginTotp({ merchantId, memberId }, `${memberId}@shop.example`, "");
    planted.push({ kind: "one-time codes", merchantId, id: memberId, secret });
  }
  return planted;
}

async function plantKeys(merchantId: string, count: number): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id, publicKey, secretKey } = await createApiKey(operatorContext(merchantId, "test"), `key ${n}`);
    planted.push({ kind: "API key", merchantId, id, secret: secretKey.slice("sk_test_".length), publicKey });
  }
  return planted;
}

/** Makes ten webhook secrets, secrets of one-time codes and API keys each, for each of so many merchants. */
export async function plantSecrets(merchants: number): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (let n = 0; n < merchants; n += 1) {
    const merchantId = await createMerchant("Planted", ["BRL"]);
    planted.push(
      ...(await plantEndpoints(merchantId)),
      ...(await plantCodes(merchantId, 10)),
      ...(await plantKeys(merchantId, 10)),
    );
  }
  return planted;
}

/** Saves recipients as a member does. */
export async function plantRecipients(merchant: TestMerchant, seed: string, count: number): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (let n = 0; n < count; n += 1) {
    const accountNumber = numberOf(seed, `saved ${n}`);
    const typed = { holderName: `Saved ${n}`, accountNumber, bankCode: "001", country: "BR", currency: "BRL" };
    const { merchantId, id } = await saveRecipient(merchant.byMember(), typed);
    planted.push({ kind: "recipient", merchantId, id, secret: accountNumber });
  }
  return planted;
}

/** Adds recipients beyond the thousand that a merchant can save: sealed as the service does, stored in bulk. */
export async function plantManyRecipients(seed: string, count: number): Promise<void> {
  const { merchantId, byMember } = await makeLiveMerchant();
  const { actor } = byMember();
  for (let done = 0; done < count; done += AT_ONCE) {
    const ids = Array.from({ length: Math.min(AT_ONCE, count - done) }, () => newId("payoutRecipient"));
    const numbers = ids.map((id) => numberOf(seed, id));
    await query(
      `INSERT INTO payout_recipient (merchant_id, id, environment, holder_name, bank_code, country, currency, account_sealed,
         account_last4, saved_by_id, created_at, usable_from)
       SELECT $1, v.id, 'live', 'Many', '001', 'BR', 'BRL', v.sealed, v.last4, $2, now(), now()
       FROM unnest($3::text[], $4::text[], $5::text[]) AS v(id, sealed, last4)`,
      merchantId,
      actor.id,
      ids,
      ids.map((id, n) => sealRecipientAccount({ merchantId, id }, numbers[n] ?? "")),
      numbers.map((number) => number.slice(-4)),
    );
  }
}
