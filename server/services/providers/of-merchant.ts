// The providers as members of a merchant see them: only what concerns the merchant's own intents.
import { listOpenWork, listProviderCalls } from "@/server/db/provider-work";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import { type ProviderState, providerState, type RecentCalls } from "@/server/domain/provider-health";
import type { RoutedKind } from "@/server/domain/routing";
import type { Scope } from "@/server/domain/scope";
import { gatewayByName, obstacleOf, providerNames } from "@/server/psp/registry";
import { isDispatchPaused } from "../dispatch/paused";
import { merchantSettings } from "../merchants/settings";
import { paymentSubject } from "../payments/methods";

export interface MerchantProvider {
  readonly name: string;
  readonly state: ProviderState;
  /** The merchant's own account there; null where merchants share the operator's. */
  readonly subAccount: string | null;
  /** Methods and currencies of the merchant that it can serve. */
  readonly paymentMethods: readonly string[];
  readonly payoutCurrencies: readonly string[];
  readonly offersTopups: boolean;
  /** Currencies in which the operator holds back new payouts, or all new work. */
  readonly pausedCurrencies: readonly string[];
  /** Open intents that were sent to it or will be; counting stops at 1,000 of each kind. */
  readonly open: Readonly<Record<RoutedKind, number>>;
  readonly overdue: number;
  /** Of the last 15 minutes. */
  readonly calls: RecentCalls;
  /** Within a day; null if not. */
  readonly lastAnswerAt: Date | null;
}

/**
 * Returns the providers that can serve the merchant in the environment, in the order of preference, and then those that are
 * not configured any more but have open intents of the merchant.
 */
export async function listProvidersOf(scope: Scope): Promise<MerchantProvider[]> {
  const { merchantId } = scope;
  const [work, calls, settings] = await Promise.all([
    listOpenWork(scope),
    listProviderCalls(scope),
    merchantSettings(merchantId),
  ]);
  const currencies = [...settings.currencies].sort();
  const configured = providerNames();
  const gone = work.map(({ provider }) => provider).filter((name) => !configured.includes(name));
  const shown = [...configured, ...new Set(gone)].map(async (name): Promise<MerchantProvider> => {
    const open = work.filter(({ provider }) => provider === name);
    const made = calls.find(({ provider }) => provider === name);
    const recent = { count: made?.count ?? 0, withoutAnswer: made?.withoutAnswer ?? 0 };
    const overdue = open.reduce((sum, one) => sum + one.overdue, 0);
    const pausedCurrencies = await pausedFor(merchantId, name, currencies);
    const count = (kind: RoutedKind) => open.find((one) => one.kind === kind)?.count ?? 0;
    return {
      name,
      ...coverageOf(scope, name, currencies),
      subAccount: gatewayByName(name)?.subAccounts?.[merchantId] ?? null,
      state: providerState({
        isConfigured: gatewayByName(name) !== null,
        isPaused: pausedCurrencies.length > 0,
        calls: recent,
        overdue,
      }),
      pausedCurrencies,
      open: { payment: count("payment"), payout: count("payout"), topup: count("topup") },
      overdue,
      calls: recent,
      lastAnswerAt: made?.lastAnswerAt ?? null,
    };
  });
  return (await Promise.all(shown)).filter(concerns);
}

/** A provider that neither serves the merchant nor has work of it is none of the merchant's business. */
function concerns({ paymentMethods, payoutCurrencies, offersTopups, open, lastAnswerAt, calls }: MerchantProvider) {
  const serves = paymentMethods.length > 0 || payoutCurrencies.length > 0 || offersTopups;
  const hasWork = Object.values(open).some((count) => count > 0);
  return serves || hasWork || calls.count > 0 || lastAnswerAt !== null;
}

function coverageOf(scope: Scope, name: string, currencies: readonly string[]) {
  const { merchantId, environment } = scope;
  const methods = PAYMENT_METHODS.filter(
    (method) => currencies.includes(method.currency) && obstacleOf(name, paymentSubject(method, scope)) === null,
  );
  const offers = (kind: "payout" | "topup", currency: string) =>
    obstacleOf(name, { kind, environment, country: "", currency, instrument: null, merchantId }) === null;
  return {
    paymentMethods: methods.map(({ code }) => code),
    payoutCurrencies: currencies.filter((currency) => offers("payout", currency)),
    offersTopups: currencies.some((currency) => offers("topup", currency)),
  };
}

/** What holds payments back holds payouts back too. */
async function pausedFor(merchantId: string, provider: string, currencies: readonly string[]): Promise<string[]> {
  const paused = await Promise.all(
    currencies.map((currency) => isDispatchPaused({ table: "payout_intent", provider, merchantId, currency })),
  );
  return currencies.filter((_, at) => paused[at]);
}
