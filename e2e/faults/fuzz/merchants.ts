// The merchants of a run: most may do everything; each of the others meets a refusal that they do not.
import type { World } from "../../rest/world";
import { createKey, type Merchant } from "../../support/merchant";

const ORDINARY = 6;
/** Minor units of BRL. Some of the drawn amounts are higher. */
const PAYOUT_LIMIT = "1050";

async function suspendedMerchant(world: World): Promise<Merchant> {
  const merchant = await world.newMerchant();
  await world.cli("merchants", "suspend", "--merchant", merchant.id, "--reason", "Fuzzing.");
  return merchant;
}

async function limitedMerchant(world: World): Promise<Merchant> {
  const merchant = await world.newMerchant();
  const limit = ["--environment", "test", "--currency", "BRL", "--amount", PAYOUT_LIMIT];
  await world.cli("payout-limits", "set", "--merchant", merchant.id, ...limit);
  return merchant;
}

/** A merchant whose test key creates payments only. */
async function merchantWithNarrowKey(world: World): Promise<Merchant> {
  const merchant = await world.newMerchant();
  const scopes = ["--scopes", "payment_intents:read,payment_intents:write"];
  const test = await createKey(world.service, merchant.id, "test", ...scopes);
  return { ...merchant, keys: { ...merchant.keys, test } };
}

/** Creates them; one in nine is suspended, one has a limit for its payouts, and one has a key with few scopes. */
export function createMerchants(world: World): Promise<Merchant[]> {
  const ordinary = Array.from({ length: ORDINARY }, () => world.newMerchant());
  return Promise.all([...ordinary, suspendedMerchant(world), limitedMerchant(world), merchantWithNarrowKey(world)]);
}
