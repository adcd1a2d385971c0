// Makes the accounts of earlier payouts comparable, without stopping traffic.
import {
  findUnindexedAcrossMerchants,
  type PayoutPlace,
  storeAccountsAcrossMerchants,
} from "@/server/db/payout-accounts";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { keyRing } from "@/server/platform/keys";
import { log } from "@/server/platform/log";
import { accountDigest, openAccount } from "../account-numbers";

const BATCH = 200;

/**
 * Stores a comparable digest under the current key for every payout that has not come to nothing and whose own digest is of
 * an earlier form, or under an older key. Can be interrupted and repeated. `unreadable` counts accounts whose secret was
 * removed; they are found only while the key of their digest is in the ring.
 */
export async function reindexAccounts(): Promise<{ readonly indexed: number; readonly unreadable: number }> {
  const { id: keyId } = keyRing().current("account-digest");
  let [indexed, unreadable] = [0, 0];
  for (let after: PayoutPlace = { merchantId: "", id: "" }; ; ) {
    const payouts = await findUnindexedAcrossMerchants(keyId, after, BATCH);
    const last = payouts.at(-1);
    if (!last) return { indexed, unreadable };
    const accounts = payouts.flatMap((payout) => comparableOf(payout) ?? []);
    await storeAccountsAcrossMerchants(accounts);
    indexed += accounts.length;
    unreadable += payouts.length - accounts.length;
    after = last;
  }
}

function comparableOf(payout: PayoutIntent): (PayoutPlace & { readonly digest: string }) | null {
  const { merchantId, id } = payout;
  try {
    return { merchantId, id, digest: accountDigest(merchantId, openAccount(payout)) };
  } catch (error) {
    log().warn({ err: error, merchantId, intentId: id }, "the account number of a payout could not be decrypted");
    return null;
  }
}
