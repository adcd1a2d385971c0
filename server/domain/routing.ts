// Routing: which provider an intent goes to, which others it may go to after it, and why the rest was passed over.
import type { Environment } from "./scope";

export const ROUTED_KINDS = ["payment", "payout", "topup"] as const;
export type RoutedKind = (typeof ROUTED_KINDS)[number];

/** What is to be routed. */
export interface RoutingSubject {
  readonly kind: RoutedKind;
  readonly environment: Environment;
  readonly country: string;
  /** Of a top-up, the wallet's. */
  readonly currency: string;
  /** A payment's method, or the network a top-up asks for; null for payouts and where any network will do. */
  readonly instrument: string | null;
  /** Absent where any merchant will do, as for checking the configuration. */
  readonly merchantId?: string | undefined;
}

/** A rule of the operator: what it is for, null meaning any, and the providers to share that work. */
export interface Route {
  /** How it is called in decisions, such as `ROUTES[0]`. */
  readonly name: string;
  readonly kind: RoutedKind;
  readonly instrument: string | null;
  readonly currency: string | null;
  readonly country: string | null;
  readonly environment: Environment | null;
  readonly providers: readonly WeightedProvider[];
}

/** `weight` is the provider's share of what is sent to it first; with 0 it only gets what others do not take. */
interface WeightedProvider {
  readonly provider: string;
  readonly weight: number;
}

/** Why a provider cannot have the intent at all: its name is not configured, or it does not offer this. */
export type Obstacle = "not_configured" | "not_offered";

export interface Candidate extends WeightedProvider {
  readonly obstacle: Obstacle | null;
}

/** Why a provider that had the intent has it no more. */
export type RerouteReason = "never_accepted" | "not_sent" | "breaker_open";

interface FormerProvider {
  readonly provider: string;
  readonly reason: RerouteReason;
  /** ISO 8601. */
  readonly at: string;
}

/** `no_quote`: asked for the rate of a top-up, it gave none. */
type SkipReason = Obstacle | "breaker_open" | "no_quote";

/** What was decided for one intent; stored with it. All but `left` is fixed, and `left` only grows. */
export interface RoutingDecision {
  /** Name of the rule, or null when no rule is for it. */
  readonly route: string | null;
  /** Providers it may go to: the chosen one, then the others in the rule's order, those with an open breaker last. */
  readonly order: readonly string[];
  readonly skipped: readonly { readonly provider: string; readonly reason: SkipReason }[];
  readonly left: readonly FormerProvider[];
}

/** The decision where there was nothing to decide. */
export function onlyProvider(provider: string): RoutingDecision {
  return { route: null, order: [provider], skipped: [], left: [] };
}

/** What tells more about the subject counts more than all that tells less: instrument, currency, country, environment. */
const CONDITIONS = ["instrument", "currency", "country", "environment"] as const;

/** A rule's conditions as one number: of two rules that both fit, the greater one is the more specific. */
function specificity(route: Omit<Route, "name" | "providers">): number {
  return CONDITIONS.reduce((sum, name) => 2 * sum + (route[name] === null ? 0 : 1), 0);
}

function fits(route: Route, subject: RoutingSubject): boolean {
  if (route.kind !== subject.kind) return false;
  return CONDITIONS.every((name) => route[name] === null || route[name] === subject[name]);
}

/** The most specific rule for the subject, which alone decides; null when none is for it. */
export function matchRoute(routes: readonly Route[], subject: RoutingSubject): Route | null {
  let best: Route | null = null;
  for (const route of routes) {
    if (fits(route, subject) && (best === null || specificity(route) > specificity(best))) best = route;
  }
  return best;
}

/**
 * Decides among the candidates, which come in the rule's order. `draw` in [0, 1) picks the first provider by weight from
 * those whose breaker is not open, or from all where all are open. Null when no candidate can have the intent.
 */
export function chooseProvider(
  route: string | null,
  candidates: readonly Candidate[],
  isOpen: (provider: string) => boolean,
  draw: number,
): RoutingDecision | null {
  const able = candidates.filter(({ obstacle }) => obstacle === null);
  const closed = able.filter(({ provider }) => !isOpen(provider));
  const pool = closed.length > 0 ? closed : able;
  const first = drawFrom(pool, draw);
  if (!first) return null;
  const others = [...pool, ...able.filter((candidate) => !pool.includes(candidate))].filter((one) => one !== first);
  const order = [first, ...others].map(({ provider }) => provider);
  const skipped = candidates.flatMap((candidate): RoutingDecision["skipped"] => {
    const reason = candidate.obstacle ?? (pool.includes(candidate) ? null : "breaker_open");
    return reason === null ? [] : [{ provider: candidate.provider, reason }];
  });
  return { route, order, skipped, left: [] };
}

/** By weight; where nobody has any, the first. */
function drawFrom(pool: readonly Candidate[], draw: number): Candidate | null {
  const total = pool.reduce((sum, { weight }) => sum + weight, 0);
  let rest = draw * total;
  for (const candidate of pool) {
    rest -= candidate.weight;
    if (rest < 0) return candidate;
  }
  return pool[0] ?? null;
}

/** What is known of a provider when an intent looks for its next one. */
export type Readiness = "ready" | "open" | "gone";

/**
 * The provider to go to after `current`: the first of the order that was not left and is ready, else one whose breaker is
 * open; null when there is none.
 */
export function nextProvider(
  { order, left }: RoutingDecision,
  current: string,
  readiness: (provider: string) => Readiness,
): { readonly provider: string; readonly readiness: Exclude<Readiness, "gone"> } | null {
  const rest = order.filter((name) => name !== current && left.every(({ provider }) => provider !== name));
  for (const wanted of ["ready", "open"] as const) {
    const provider = rest.find((name) => readiness(name) === wanted);
    if (provider !== undefined) return { provider, readiness: wanted };
  }
  return null;
}

/** A move from one provider to another. */
export interface Reroute {
  readonly to: string;
  readonly reason: RerouteReason;
}

/** What a reroute changes in an intent. */
export function rerouted(
  intent: { readonly provider: string; readonly routing: RoutingDecision },
  { to, reason }: Reroute,
  at: Date,
): { readonly provider: string; readonly routing: RoutingDecision } {
  const { provider, routing } = intent;
  return { provider: to, routing: { ...routing, left: [...routing.left, { provider, reason, at: at.toISOString() }] } };
}
