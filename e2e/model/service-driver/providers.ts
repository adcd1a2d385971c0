// The providers of the running service: per version of the protocol, one for each terms of a top-up and two of one
// route.
import { type History, TERMS, type Terms } from "../world/history";

type Protocol = 1 | 2;

interface Place {
  readonly currency: string;
  readonly country: string;
  readonly method: string;
}

/** The place of the histories of each protocol version. */
const PLACES: Readonly<Record<Protocol, Place>> = {
  1: { currency: "BRL", country: "BR", method: "BR_PIX" },
  2: { currency: "MXN", country: "MX", method: "MX_CODI" },
};

/** Places where a second provider can take what the first one refused. */
const PLACES_WITH_FALLBACK: Readonly<Record<Protocol, Place>> = {
  1: { currency: "PEN", country: "PE", method: "PE_YAPE" },
  2: { currency: "SGD", country: "SG", method: "SG_PAYNOW" },
};

const PROTOCOLS: readonly Protocol[] = [1, 2];

export function placeOf({ protocol, hasFallback }: Pick<History, "protocol" | "hasFallback">): Place {
  return (hasFallback ? PLACES_WITH_FALLBACK : PLACES)[protocol];
}

/** Payments and payouts have no terms: the provider with the plain terms gets them all. */
export function providerName(protocol: Protocol, terms: Terms = "plain"): string {
  return `v${protocol}-${terms}`;
}

/** The providers of a history, in the order of their route. */
export function providersOf({ kind, protocol, terms, hasFallback }: History): readonly [string, ...string[]] {
  if (hasFallback) return routeOf(protocol);
  return [kind === "topup" ? providerName(protocol, terms) : providerName(protocol)];
}

function routeOf(protocol: Protocol): readonly [string, string] {
  return [`v${protocol}-first`, `v${protocol}-second`];
}

/** Quotes by which 200 USDT buy exactly 1,000.00; the spread is the merchant's. See `PERCENT` of the oracle. */
export const QUOTES: Readonly<Record<Terms, { readonly rate: string; readonly fee_basis_points: number }>> = {
  plain: { rate: "5.000000", fee_basis_points: 0 },
  spread: { rate: "5.025000", fee_basis_points: 0 },
  fee: { rate: "5.000000", fee_basis_points: 100 },
};

function versionOf(protocol: Protocol): object {
  return { environments: ["test"], ...(protocol === 2 ? { protocol, cancel: true } : {}) };
}

function offersAt({ currency, method }: Place): object {
  return { payment_methods: [method], payout_currencies: [currency] };
}

/** Builds entries of PROVIDERS. */
interface Entries {
  entry(name: string, more: object): object;
}

function entriesOf(bridge: Entries, protocol: Protocol): object[] {
  const { currency } = PLACES[protocol];
  const version = versionOf(protocol);
  const converting = TERMS.map((terms) => {
    const offers = terms === "plain" ? offersAt(PLACES[protocol]) : {};
    const topups = [{ source: "USDT", destination: currency }];
    return bridge.entry(providerName(protocol, terms), { ...version, ...offers, topups });
  });
  const offers = offersAt(PLACES_WITH_FALLBACK[protocol]);
  return [...converting, ...routeOf(protocol).map((name) => bridge.entry(name, { ...version, ...offers }))];
}

function routesOf(protocol: Protocol): object[] {
  const plain = { place: PLACES[protocol], providers: [{ name: providerName(protocol) }] };
  const [first, second] = routeOf(protocol);
  const withFallback = {
    place: PLACES_WITH_FALLBACK[protocol],
    providers: [{ name: first }, { name: second, weight: 0 }],
  };
  return [plain, withFallback].flatMap(({ place: { currency, method }, providers }) => [
    { kind: "payment", method, environment: "test", providers },
    { kind: "payout", currency, environment: "test", providers },
  ]);
}

/** The service's variables. In the test environment only a route prevents the sandbox from being the first choice. */
export function configuration(bridge: Entries): Readonly<Record<string, string>> {
  const providers = PROTOCOLS.flatMap((protocol) => entriesOf(bridge, protocol));
  return { PROVIDERS: JSON.stringify(providers), ROUTES: JSON.stringify(PROTOCOLS.flatMap(routesOf)) };
}
