// The providers of the running service: one per version of the protocol and terms of a top-up.
import { TERMS, type Terms } from "../world/history";
import type { Bridge } from "./bridge";

type Protocol = 1 | 2;

export interface Provider {
  readonly name: string;
  readonly protocol: Protocol;
  readonly terms: Terms;
}

/** Where the histories of one protocol version take place. */
export const PLACES = {
  1: { currency: "BRL", country: "BR", method: "BR_PIX" },
  2: { currency: "MXN", country: "MX", method: "MX_CODI" },
} as const;

const PROTOCOLS: readonly Protocol[] = [1, 2];

const PROVIDERS: readonly Provider[] = PROTOCOLS.flatMap((protocol) =>
  TERMS.map((terms) => ({ name: providerName(protocol, terms), protocol, terms })),
);

/** Payments and payouts have no terms: the provider with the plain ones has them all. */
export function providerName(protocol: Protocol, terms: Terms = "plain"): string {
  return `v${protocol}-${terms}`;
}

/** Quotes by which 200 USDT buy exactly 1,000.00; the spread is the merchant's. See `PERCENT` of the oracle. */
export const QUOTES: Readonly<Record<Terms, { readonly rate: string; readonly fee_basis_points: number }>> = {
  plain: { rate: "5.000000", fee_basis_points: 0 },
  spread: { rate: "5.025000", fee_basis_points: 0 },
  fee: { rate: "5.000000", fee_basis_points: 100 },
};

function entryOf(bridge: Bridge, { name, protocol, terms }: Provider): object {
  const { currency, method } = PLACES[protocol];
  const plain = terms === "plain" ? { payment_methods: [method], payout_currencies: [currency] } : {};
  return bridge.entry(name, {
    environments: ["test"],
    topups: [{ source: "USDT", destination: currency }],
    ...plain,
    ...(protocol === 2 ? { protocol, cancel: true } : {}),
  });
}

function routesOf(protocol: Protocol): object[] {
  const { currency, method } = PLACES[protocol];
  const route = { environment: "test", providers: [{ name: providerName(protocol) }] };
  return [
    { kind: "payment", method, ...route },
    { kind: "payout", currency, ...route },
  ];
}

/** The service's variables. In the test environment only a route keeps the sandbox from being the first choice. */
export function configuration(bridge: Bridge): Readonly<Record<string, string>> {
  const providers = PROVIDERS.map((provider) => entryOf(bridge, provider));
  return { PROVIDERS: JSON.stringify(providers), ROUTES: JSON.stringify(PROTOCOLS.flatMap(routesOf)) };
}
