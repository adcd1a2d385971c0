// The operator's routes: schema, one message for all faults, and the candidates for a subject.
import { z } from "zod";
import { isCountry } from "@/server/domain/countries";
import { ISO_CURRENCIES, isKnownCurrency, TOKEN_SYMBOLS } from "@/server/domain/currencies";
import { findPaymentMethod, PAYMENT_METHODS } from "@/server/domain/payment-methods";
import { type Candidate, matchRoute, type Route, type RoutingSubject } from "@/server/domain/routing";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { ConfigurationError, env } from "@/server/platform/env";
import { readJsonSetting } from "./json-setting";
import { obstacleOf, providersOffering } from "./registry";

const shares = z
  .array(z.strictObject({ name: z.string(), weight: z.int().min(0).max(1_000).default(1) }))
  .min(1, "must name at least one provider");

const conditions = {
  environment: z.enum(ENVIRONMENTS).optional(),
  country: z.string().refine(isCountry, "is not an ISO 3166-1 alpha-2 code").optional(),
  currency: z.string().refine(isKnownCurrency, "is not a known currency").optional(),
  providers: shares,
};

const route = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("payment"),
    method: z
      .string()
      .refine((code) => findPaymentMethod(code) !== null, "is not in the catalogue of payment methods")
      .optional(),
    ...conditions,
  }),
  z.strictObject({ kind: z.literal("payout"), ...conditions }),
  z.strictObject({
    kind: z.literal("topup"),
    network: z
      .string()
      .regex(/^[a-z0-9_-]{1,32}$/, "must be 1 to 32 of a-z, 0-9, - and _")
      .optional(),
    ...conditions,
  }),
]);

function toRoute(config: z.infer<typeof route>, at: number): Route {
  const instrument = "method" in config ? config.method : "network" in config ? config.network : undefined;
  return {
    name: `ROUTES[${at}]`,
    kind: config.kind,
    instrument: instrument ?? null,
    currency: config.currency ?? null,
    country: config.country ?? null,
    environment: config.environment ?? null,
    providers: config.providers.map(({ name, weight }) => ({ provider: name, weight })),
  };
}

/** Next's bundles and the custom server are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & { sluiceRoutes?: readonly Route[] };

/**
 * Replaces the routes with those of a ROUTES text: JSON, the path of a JSON file, or empty for none. Configure the
 * providers first. Throws a ConfigurationError that lists every fault and leaves the routes unchanged.
 */
export function configureRoutes(source: string | null | undefined): void {
  const read = (readJsonSetting("ROUTES", source, z.array(route)) ?? []).map(toRoute);
  const faults = [...read.flatMap(faultsOf), ...repetitions(read)];
  if (faults.length > 0) throw new ConfigurationError(faults);
  shared.sluiceRoutes = read;
}

/** Returns the configured routes in the operator's order. */
export function routes(): readonly Route[] {
  if (!shared.sluiceRoutes) configureRoutes(env().routes);
  return shared.sluiceRoutes ?? [];
}

/** Returns every subject that the route can match, as far as providers distinguish them. */
function subjectsOf({ kind, instrument, currency, country, environment }: Route): RoutingSubject[] {
  const environments = environment === null ? ENVIRONMENTS : [environment];
  const inEach = (subject: Omit<RoutingSubject, "kind" | "environment">) =>
    environments.map((one) => ({ ...subject, kind, environment: one }));
  if (kind === "payment") {
    return PAYMENT_METHODS.filter(
      (method) =>
        (instrument ?? method.code) === method.code &&
        (currency ?? method.currency) === method.currency &&
        (country ?? method.country) === method.country,
    ).flatMap((method) => inEach({ instrument: method.code, currency: method.currency, country: method.country }));
  }
  const currencies = currency === null ? [...ISO_CURRENCIES, ...TOKEN_SYMBOLS] : [currency];
  return currencies.flatMap((one) => inEach({ instrument, currency: one, country: country ?? "" }));
}

function faultsOf(one: Route): string[] {
  const { name, providers } = one;
  const subjects = subjectsOf(one);
  if (subjects.length === 0) return [`${name} fits no payment method`];
  const names = providers.map(({ provider }) => provider);
  const ofProviders = names.flatMap((provider, at) => {
    const place = `${name}.providers[${at}]`;
    if (names.indexOf(provider) < at) return [`${place}.name is used twice`];
    const obstacles = subjects.map((subject) => obstacleOf(provider, subject));
    if (obstacles.includes("not_configured")) return [`${place}.name is not the name of a provider`];
    return obstacles.includes(null) ? [] : [`${place} offers nothing that the route is for`];
  });
  const hasWeight = providers.some(({ weight }) => weight > 0);
  return hasWeight ? ofProviders : [...ofProviders, `${name}.providers must have a weight above 0 somewhere`];
}

function repetitions(all: readonly Route[]): string[] {
  const keys = all.map(({ kind, instrument, currency, country, environment }) =>
    [kind, instrument, currency, country, environment].join(),
  );
  return keys.flatMap((key, at) =>
    keys.indexOf(key) < at ? [`ROUTES[${at}] has the conditions of ROUTES[${keys.indexOf(key)}]`] : [],
  );
}

/** The providers to try for a subject, in order, and the route that lists them. */
export interface Candidates {
  readonly route: string | null;
  readonly candidates: readonly Candidate[];
}

/**
 * Returns the providers of the most specific route. Without a route: the first configured provider that offers the
 * subject, or for a top-up all of them, whose rates are requested in order.
 */
export function candidatesFor(subject: RoutingSubject): Candidates {
  const found = matchRoute(routes(), subject);
  if (found) {
    const candidates = found.providers.map((share) => ({ ...share, obstacle: obstacleOf(share.provider, subject) }));
    return { route: found.name, candidates };
  }
  const names = providersOffering(subject);
  const considered = subject.kind === "topup" ? names : names.slice(0, 1);
  const candidates = considered.map((provider, at) => ({ provider, weight: at === 0 ? 1 : 0, obstacle: null }));
  return { route: null, candidates };
}
