// Merchants for tests on a database: created and changed by the real verbs, with funded test wallets.

import { query } from "@/server/db/client";
import type { ApprovalPolicy } from "@/server/domain/approval-policy";
import type { Actor, CallContext, Environment, Scope } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { confirmPolicy } from "@/server/services/approval-policies/decide";
import { proposePolicy } from "@/server/services/approval-policies/propose";
import type { Completed, Idempotency } from "@/server/services/idempotency/completion";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import {
  type Answer,
  answerOnce,
  type IdempotencyLease,
  type IdempotentRequest,
} from "@/server/services/idempotency/once";
import { addMember } from "@/server/services/members/manage";
import { createMerchant } from "@/server/services/merchants/create";
import { operatorContext } from "@/server/services/merchants/operator";
import type { CreatePayment } from "@/server/services/payments/create";
import { approvePayoutIntent } from "@/server/services/payouts/approve";
import { type CreatePayout, createPayoutIntent } from "@/server/services/payouts/create";
import type { CreateTopup } from "@/server/services/topups/find-offer";
import { fundWallet, getWallets } from "@/server/services/wallets";

/** The balance of a new test wallet in a currency with two digits, in minor units. */
export const OPENING = 100_000_000n;

export interface TestMerchant {
  readonly merchantId: string;
  readonly scope: Scope;
  /** A call with the merchant's test key. */
  readonly context: CallContext;
  /** A call by a member who may approve payouts and decide on policies. Each call returns the next member in turn. */
  byMember(): CallContext;
}

function contextOf(merchantId: string, environment: Environment, actor: Actor): CallContext {
  return { scope: { merchantId, environment }, actor, requestId: null, address: null };
}

/** Creates a merchant with those currencies. */
export async function makeMerchant(currencies: readonly string[] = ["BRL"]): Promise<TestMerchant> {
  const merchantId = await createMerchant("Test merchant", currencies);
  const context = contextOf(merchantId, "test", { type: "api_key", id: await makeOperatorKey(merchantId, "test") });
  const members = await makeMembers(merchantId);
  let turn = 0;
  const byMember = () => {
    turn += 1;
    return contextOf(merchantId, "test", { type: "member", id: members[turn % members.length] ?? "" });
  };
  return { merchantId, scope: context.scope, context, byMember };
}

/** A key that no member made, so that every approver may approve its payouts; without an audit entry of its own. */
async function makeOperatorKey(merchantId: string, environment: Environment): Promise<string> {
  const id = newId("apiKey");
  await query(
    `INSERT INTO api_key (merchant_id, id, environment, name, public_key, secret_hash, pepper_id, makers)
     VALUES ($1, $2, $3, 'Operator''s', 'pk_' || $3 || '_' || $2, 'none', 'none', '{}')`,
    merchantId,
    id,
    environment,
  );
  return id;
}

const MEMBERS = 8;

/**
 * Creates owners who cannot sign in: hashing a password would cost more than most tests. Their authority is older than
 * every payout, also one of a test that stops the clock in the past.
 */
async function makeMembers(merchantId: string): Promise<string[]> {
  const ids = Array.from({ length: MEMBERS }, () => newId("member"));
  await query(
    `INSERT INTO member (merchant_id, id, email, password_hash, roles, authority_test_from, authority_live_from)
     SELECT $1, id, id || '@shop.example', 'none', ARRAY['owner'], '2020-01-01', '2020-01-01' FROM unnest($2::text[]) AS id`,
    merchantId,
    ids,
  );
  return ids;
}

/** Makes a member who can sign in, with the password "correct horse battery"; returns the id. */
export function makeMember(merchantId: string, email: string, ...roles: readonly string[]): Promise<string> {
  return addMember(operatorContext(merchantId, "test"), { email, roles }, "correct horse battery");
}

let references = 0;

/** A Pix payment; its amount ends in digits without a meaning in the sandbox. */
export function payment(changes: Partial<CreatePayment> = {}): CreatePayment {
  references += 1;
  return {
    amount: "1050",
    currency: "BRL",
    country: "BR",
    paymentMethod: "BR_PIX",
    merchantReference: `order-${references}`,
    customer: null,
    description: null,
    returnUrl: null,
    ...changes,
  };
}

/** A payout in BRL. */
export function payout(changes: Partial<CreatePayout> = {}): CreatePayout {
  references += 1;
  return {
    amount: "25000",
    currency: "BRL",
    country: "BR",
    merchantReference: `payout-${references}`,
    recipient: { type: "bank_account", accountNumber: "0001-123456789", bankCode: "001", holderName: "Ana Souza" },
    ...changes,
  };
}

/** A top-up of 1,000.00 BRL from USDT. */
export function topup(changes: Partial<CreateTopup> = {}): CreateTopup {
  references += 1;
  return {
    destination: { amount: "100000", currency: "BRL" },
    source: { type: "provider_gateway", provider: null, currency: "USDT", network: null },
    country: "BR",
    merchantReference: `topup-${references}`,
    ...changes,
  };
}

/** Puts an approval policy into effect, by two members. */
export async function adoptPolicy(merchant: TestMerchant, policy: ApprovalPolicy): Promise<void> {
  const { version } = await proposePolicy(merchant.byMember(), policy);
  await confirmPolicy(merchant.byMember(), version);
}

/** A merchant with 10,000,000.00 in its live wallet, whose context is live and whose payouts need no approval. */
export async function makeLiveMerchant(currency = "BRL"): Promise<TestMerchant> {
  const made = await makeMerchant([currency]);
  const scope = { ...made.scope, environment: "live" as const };
  const byMember = () => ({ ...made.byMember(), scope });
  const key = await makeOperatorKey(made.merchantId, "live");
  const context = contextOf(made.merchantId, "live", { type: "api_key", id: key });
  const merchant = { ...made, scope, byMember, context };
  await adoptPolicy(merchant, { rules: [], defaultApprovals: 0 });
  const funding = { currency, amount: 1_000_000_000n, reference: "live" };
  await fundWallet(operatorContext(made.merchantId, "live"), funding);
  return merchant;
}

/** A payout that another person has approved, ready for dispatch. */
export async function approvedPayout(merchant: TestMerchant, changes: Partial<CreatePayout> = {}) {
  const { intent } = await createPayoutIntent(merchant.context, payout(changes), withoutIdempotency());
  return approvePayoutIntent(merchant.byMember(), { id: intent.id });
}

/** Available and held of the currency, in minor units. */
export async function balanceOf({ scope }: TestMerchant, currency = "BRL"): Promise<readonly [bigint, bigint]> {
  const wallet = (await getWallets(scope)).find((one) => one.currency === currency);
  return [wallet?.available ?? 0n, wallet?.held ?? 0n];
}

/** A request of the merchant's key with an Idempotency-Key; `content` distinguishes requests. */
export function keyed({ context }: TestMerchant, key: string, content = "POST /x\n{}"): IdempotentRequest {
  return { scope: context.scope, apiKeyId: context.actor.id, key, content };
}

/** Runs a verb like the REST adapter: under its key, completed by the commit of its effect, rejections stored. */
export function once<Intent extends { readonly id: string; readonly status: string }>(
  request: IdempotentRequest | null,
  verb: (idempotency: Idempotency<Intent>) => Promise<Completed<Intent>>,
): Promise<Answer & { readonly replayed: boolean }> {
  const answerOf = ({ intent, completion }: Completed<Intent>): Answer => ({
    status: { created: 201, repeated: 200, changed: 200, accepted: 202 }[completion],
    body: JSON.stringify({ id: intent.id, status: intent.status }),
  });
  const execute = async (lease: IdempotencyLease) =>
    answerOf(await verb({ lease, present: (intent, completion) => answerOf({ intent, completion }) }));
  return answerOnce(request, execute, ({ code, message }) => ({
    status: 422,
    body: JSON.stringify({ code, message }),
  }));
}
