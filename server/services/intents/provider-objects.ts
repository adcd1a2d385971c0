// What the provider calls an intent, with the pages of its own dashboard.
import type { AttemptRecord, EntryRecord } from "@/server/db/history";
import { receiptIdOf } from "@/server/domain/receipts";
import { ROUTED_KINDS, type RoutedKind } from "@/server/domain/routing";
import { isId } from "@/server/platform/ids";
import { gatewayByName } from "@/server/psp/registry";

export interface ProviderObject {
  /** The provider's own name. */
  readonly reference: string;
  /** Its address on the provider's dashboard; null if it is not known. */
  readonly page: string | null;
}

export interface ProviderObjects {
  /** Of the last answer of the intent's provider that named one. */
  readonly reference: ProviderObject | null;
  /** The money that the provider reported under ids, if their names differ from the reference. */
  readonly receipts: readonly ProviderObject[];
  /** The merchant's own account at the intent's provider, if its calls went there. */
  readonly subAccount: string | null;
}

const ID_KINDS = { payment: "paymentIntent", payout: "payoutIntent", topup: "topupIntent" } as const;

function kindOf(id: string): RoutedKind | undefined {
  return ROUTED_KINDS.find((kind) => isId(ID_KINDS[kind], id));
}

/** Returns what the intent's current provider calls it and its money. */
export function providerObjects(
  intent: { readonly id: string; readonly provider: string },
  attempts: readonly AttemptRecord[],
  entries: readonly EntryRecord[],
): ProviderObjects {
  const { id, provider } = intent;
  const gateway = gatewayByName(provider);
  const kind = kindOf(id);
  const object = (reference: string): ProviderObject => {
    return { reference, page: (kind && gateway?.objectPage?.(kind, reference)) ?? null };
  };
  const own = attempts.filter((attempt) => attempt.provider === provider);
  const reference = own.findLast(({ providerReference }) => providerReference !== null)?.providerReference ?? null;
  const receipts = new Set(entries.map(({ uniqueKey }) => receiptIdOf(uniqueKey, intent)));
  const others = [...receipts].filter((receipt) => receipt !== null && receipt !== reference) as string[];
  const subAccount = own.at(-1)?.subAccount ?? null;
  return { reference: reference === null ? null : object(reference), receipts: others.map(object), subAccount };
}
