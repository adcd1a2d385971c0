// Search: what a typed text finds among a merchant's payments, payouts, top-ups, events and saved recipients.
import type { IntentStore } from "@/server/db/intents/store";
import { paymentIntents, payoutIntents, topupIntents } from "@/server/db/intents/stores";
import { listMerchantCurrencies } from "@/server/db/merchant-currencies";
import { findRecipientsBy } from "@/server/db/payout-recipients";
import { filledUntil } from "@/server/db/search/fill";
import {
  type FoundEvent,
  type FoundIntent,
  findAtProvider,
  findByIds,
  findByTerms,
  findEvents,
  type SoughtTerm,
} from "@/server/db/search/find";
import { TOKEN_SYMBOLS } from "@/server/domain/currencies";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { PayoutRecipient } from "@/server/domain/payout-recipient";
import type { Scope } from "@/server/domain/scope";
import {
  amountTerm,
  type IdRange,
  readIdRange,
  readSearchedAmounts,
  SEARCHED_INTENTS,
  type SearchedIntent,
} from "@/server/domain/search-text";
import type { TopupIntent } from "@/server/domain/topup-intent";
import { ID_PREFIXES } from "@/server/platform/ids";

/** Of each kind; one more is read, to tell whether there are more. */
export const SHOWN_OF_A_KIND = 5;
const COUNT = SHOWN_OF_A_KIND + 1;

/** At most `SHOWN_OF_A_KIND` of a kind. */
export interface FoundRows<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

export interface SearchResult {
  readonly payments: FoundRows<PaymentIntent>;
  readonly payouts: FoundRows<PayoutIntent>;
  readonly topups: FoundRows<TopupIntent>;
  readonly events: FoundRows<FoundEvent>;
  readonly recipients: FoundRows<PayoutRecipient>;
  /** References, names and amounts of later intents may be missing; null if nothing is. */
  readonly filledUntil: Date | null;
}

function shown<Row>(found: readonly Row[]): FoundRows<Row> {
  return { rows: found.slice(0, SHOWN_OF_A_KIND), hasMore: found.length > SHOWN_OF_A_KIND };
}

const ID_KINDS: Readonly<Record<string, SearchedIntent>> = {
  [ID_PREFIXES.paymentIntent]: "payment_intent",
  [ID_PREFIXES.payoutIntent]: "payout_intent",
  [ID_PREFIXES.topupIntent]: "topup_intent",
};

/** References first, names next, amounts last. A sum without a code is looked for in every currency of the merchant. */
async function soughtTerms({ merchantId }: Scope, text: string): Promise<SoughtTerm[]> {
  const own = (await listMerchantCurrencies(merchantId)).map(({ currency }) => currency);
  const amounts = readSearchedAmounts(text, [...new Set([...own, ...TOKEN_SYMBOLS])]);
  return [
    ...SEARCHED_INTENTS.map((kind) => ({ kind, field: "reference", text }) as const),
    { kind: "payout_intent", field: "name", text },
    ...amounts.flatMap((amount) =>
      SEARCHED_INTENTS.map((kind) => ({ kind, field: "amount", text: amountTerm(amount) }) as const),
    ),
  ];
}

function findInRange(scope: Scope, range: IdRange): Promise<FoundIntent[]> {
  const kind = ID_KINDS[range.prefix];
  return kind ? findByIds(scope, kind, range, COUNT) : Promise.resolve([]);
}

/** The intents of one kind, in the order in which they were found. */
async function rowsOf<Intent extends { readonly id: string }>(
  store: Pick<IntentStore<Intent>, "findSome">,
  scope: Scope,
  kind: SearchedIntent,
  found: readonly FoundIntent[],
): Promise<FoundRows<Intent>> {
  const ids = [...new Set(found.filter((one) => one.kind === kind).map(({ id }) => id))].slice(0, COUNT);
  const intents = ids.length === 0 ? [] : await store.findSome(scope, ids);
  return shown(ids.flatMap((id) => intents.find((intent) => intent.id === id) ?? []));
}

/**
 * Finds by the id or its beginning, by the beginning of a reference or of a word of a recipient's name, by the exact
 * reference at a provider, and by the exact amount.
 */
export async function search(scope: Scope, text: string): Promise<SearchResult> {
  const range = readIdRange(text);
  const [byId, byTerms, atProvider, events, recipients, until] = await Promise.all([
    range ? findInRange(scope, range) : [],
    soughtTerms(scope, text).then((sought) => findByTerms(scope, sought, COUNT)),
    findAtProvider(scope, text, COUNT),
    range ? findEvents(scope, range, COUNT) : [],
    findRecipientsBy(scope, text, COUNT),
    filledUntil(scope.merchantId),
  ]);
  const found = [...byId, ...atProvider, ...byTerms];
  const [payments, payouts, topups] = await Promise.all([
    rowsOf(paymentIntents, scope, "payment_intent", found),
    rowsOf(payoutIntents, scope, "payout_intent", found),
    rowsOf(topupIntents, scope, "topup_intent", found),
  ]);
  return { payments, payouts, topups, events: shown(events), recipients: shown(recipients), filledUntil: until };
}
