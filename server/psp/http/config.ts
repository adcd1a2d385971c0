// The configuration of external providers: schema, defaults, and one message for all faults.
import { z } from "zod";
import { isKnownCurrency, isToken } from "@/server/domain/currencies";
import { findPaymentMethod } from "@/server/domain/payment-methods";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { ConfigurationError } from "@/server/platform/env";
import { parseUrl } from "@/server/platform/url";
import { readJsonSetting } from "../json-setting";
import { SANDBOX } from "../sandbox/gateway";

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

const currency = z.string().refine(isKnownCurrency, "is not a known currency");

function allOr(item: z.ZodType<string>, error: string) {
  return z.union([z.literal("all"), z.array(item)], { error });
}

const provider = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,31}$/, "must be 1 to 32 of a-z, 0-9, - and _, starting with a letter")
      .refine((name) => name !== SANDBOX, "is taken by the built-in sandbox"),
    url: z.string().refine(isBaseUrl, "must be an http or https address without query, fragment or credentials"),
    secret: z.string().min(32, "must have at least 32 characters"),
    payment_methods: allOr(z.string().refine(isMethod), 'must be "all" or a list of codes of the catalogue').default(
      [],
    ),
    payout_currencies: allOr(currency, 'must be "all" or a list of known currencies').default([]),
    topups: z
      .array(z.strictObject({ source: z.string().refine(isToken, "is not a known token"), destination: currency }))
      .default([]),
    environments: z.array(z.enum(ENVIRONMENTS)).min(1, "must name at least one environment").default(["live"]),
    exponents: z.record(currency, z.int().min(0).max(18)).default({}),
    cancel: z.boolean().default(false),
    protocol: z.union([z.literal(1), z.literal(2)], { error: "must be 1 or 2" }).default(1),
    plain_http: z.boolean().default(false),
  })
  .refine(({ url, plain_http }) => plain_http || !isOpenlyReadable(url), {
    path: ["url"],
    error: "must use https unless it is on the loopback or plain_http is true: account numbers travel over it",
  });

/** One external provider, as the operator describes it. */
export type ProviderConfig = z.infer<typeof provider>;

function isMethod(code: string): boolean {
  return findPaymentMethod(code) !== null;
}

function isBaseUrl(text: string): boolean {
  const url = parseUrl(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  return url.search === "" && url.hash === "" && url.username === "" && url.password === "";
}

function isOpenlyReadable(text: string): boolean {
  const url = parseUrl(text);
  return url?.protocol === "http:" && !LOOPBACK.test(url.hostname);
}

/**
 * Reads PROVIDERS: a JSON array or the path of a file with one. Empty means no external provider. Throws a
 * ConfigurationError that lists every fault by its path and contains no values, which may be secrets.
 */
export function readProviderConfigs(source: string | null | undefined): ProviderConfig[] {
  const configs = readJsonSetting("PROVIDERS", source, z.array(provider)) ?? [];
  const faults = repeatedNames(configs);
  if (faults.length > 0) throw new ConfigurationError(faults);
  return configs;
}

function repeatedNames(configs: readonly ProviderConfig[]): string[] {
  const names = configs.map((config) => config.name);
  return names.flatMap((name, at) => (names.indexOf(name) < at ? [`PROVIDERS[${at}].name is used twice`] : []));
}
