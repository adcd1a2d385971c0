// Moves every value that can move from old keys to the current one, without stopping traffic.
import {
  ACCOUNT_NUMBERS,
  NOTIFICATION_SECRETS,
  NOTIFICATION_URLS,
  PREVIOUS_WEBHOOK_SECRETS,
  RECIPIENT_ACCOUNTS,
  type Resealed,
  readSealedAcrossMerchants,
  type SealedColumn,
  type SealedPlace,
  type SealedValue,
  storeResealedAcrossMerchants,
  TOTP_SECRETS,
  WEBHOOK_SECRETS,
} from "@/server/db/secrets/sealed-values";
import type { KeyPurpose } from "@/server/platform/key-ring";
import { keyRing } from "@/server/platform/keys";
import { log } from "@/server/platform/log";
import { resealAccount } from "../account-numbers";
import { operatorAct } from "../merchants/operator";
import { resealDestination } from "../notifications/destination";
import { reindexAccounts } from "../payouts/reindex-accounts";
import { resealRecipientAccount } from "../recipients/accounts";
import { resealTotpSecret } from "../sign-in/totp-secret";
import { resealSecret } from "../webhooks/secrets";

const BATCH = 500;

interface Sealed extends SealedColumn {
  readonly purpose: KeyPurpose;
  /** Returns the value under the current key. Throws if the secret of its key was removed. */
  readonly reseal: (place: SealedPlace, sealed: string) => string;
}

const OF_ENDPOINT = { purpose: "webhook-secret", reseal: resealSecret } as const;

const SEALED: readonly Sealed[] = [
  { ...ACCOUNT_NUMBERS, purpose: "account-encryption", reseal: resealAccount },
  { ...RECIPIENT_ACCOUNTS, purpose: "account-encryption", reseal: resealRecipientAccount },
  { ...WEBHOOK_SECRETS, ...OF_ENDPOINT },
  { ...PREVIOUS_WEBHOOK_SECRETS, ...OF_ENDPOINT },
  { ...NOTIFICATION_URLS, purpose: "webhook-secret", reseal: resealDestination("url") },
  { ...NOTIFICATION_SECRETS, purpose: "webhook-secret", reseal: resealDestination("secret") },
  { ...TOTP_SECRETS, purpose: "totp-secret", reseal: resealTotpSecret },
];

export interface Rewrapped {
  /** Table and column. */
  readonly column: string;
  readonly rows: number;
  /** Values whose secret was removed. They stay as they are. */
  readonly unreadable: number;
}

/**
 * Moves sealed values to the current key, and stores digests of paid accounts under it. Can be interrupted and repeated,
 * and runs beside traffic: a value that changes meanwhile is left to its writer. Each batch is audited as the operator's.
 */
export async function rewrapSecrets(): Promise<readonly Rewrapped[]> {
  const rewrapped: Rewrapped[] = [];
  for (const sealed of SEALED) rewrapped.push(await rewrapColumn(sealed));
  const { indexed, unreadable } = await reindexAccounts();
  return [...rewrapped, { column: "payout_account.digest", rows: indexed, unreadable }];
}

async function rewrapColumn(sealed: Sealed): Promise<Rewrapped> {
  const { id: keyId } = keyRing().current(sealed.purpose);
  let [rows, unreadable] = [0, 0];
  for (let after: SealedPlace = { merchantId: "", id: "" }; ; ) {
    const page = await readSealedAcrossMerchants(sealed, keyId, after, BATCH);
    const last = page.at(-1);
    if (!last) return { column: `${sealed.table}.${sealed.column}`, rows, unreadable };
    const old = page.filter((value) => value.sealed !== null);
    const resealed = old.flatMap((value) => resealedOf(sealed, value) ?? []);
    if (resealed.length > 0) rows += await storeResealedAcrossMerchants(sealed, resealed, keyId, operatorAct());
    unreadable += old.length - resealed.length;
    after = last;
  }
}

function resealedOf({ table, column, reseal }: Sealed, { merchantId, id, sealed }: SealedValue): Resealed | null {
  if (sealed === null) return null;
  try {
    return { merchantId, id, sealed, resealed: reseal({ merchantId, id }, sealed) };
  } catch (error) {
    log().warn({ err: error, merchantId, id, column: `${table}.${column}` }, "a sealed value could not be decrypted");
    return null;
  }
}
