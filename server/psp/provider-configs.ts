// Reads PROVIDERS: one schema per type of provider, and one message for all faults.
import { z } from "zod";
import { ConfigurationError } from "@/server/platform/env";
import { btcpayConfig } from "./btcpay/config";
import { dlocalConfig } from "./dlocal/config";
import { httpConfig } from "./http/config";
import { readJsonSetting } from "./json-setting";
import { paystackConfig } from "./paystack/config";
import { stripeConfig } from "./stripe/config";
import { xenditConfig } from "./xendit/config";

const TYPES = ["http", "paystack", "stripe", "xendit", "btcpay", "dlocal"] as const;

/** An entry without a type speaks our protocol. */
function withType(entry: unknown): unknown {
  const isObject = typeof entry === "object" && entry !== null && !Array.isArray(entry);
  return isObject && !("type" in entry) ? { ...entry, type: "http" } : entry;
}

const provider = z.preprocess(
  withType,
  z.discriminatedUnion("type", [httpConfig, paystackConfig, stripeConfig, xenditConfig, btcpayConfig, dlocalConfig], {
    error: ({ code }) => (code === "invalid_union" ? `must be one of ${TYPES.join(", ")}` : undefined),
  }),
);

/** One provider, as the operator describes it. */
export type ProviderConfig = z.infer<typeof provider>;

/**
 * Reads PROVIDERS: a JSON array or the path of a file with one. Empty means no external provider. Throws a
 * ConfigurationError that lists every fault by its path and contains no values, which may be secrets.
 */
export function readProviderConfigs(source: string | null | undefined): ProviderConfig[] {
  const configs = readJsonSetting("PROVIDERS", source, z.array(provider)) ?? [];
  const faults = [...repeatedNames(configs), ...sharedSubAccounts(configs)];
  if (faults.length > 0) throw new ConfigurationError(faults);
  return configs;
}

function repeatedNames(configs: readonly ProviderConfig[]): string[] {
  const names = configs.map((config) => config.name);
  return names.flatMap((name, at) => (names.indexOf(name) < at ? [`PROVIDERS[${at}].name is used twice`] : []));
}

/** Two merchants never share a sub-account, in whichever entries they are: each would be shown the other's money. */
function sharedSubAccounts(configs: readonly ProviderConfig[]): string[] {
  const owners = new Map<string, string>();
  return configs.flatMap((config, at) => {
    const subAccounts = ("sub_accounts" in config ? config.sub_accounts : undefined) ?? {};
    return Object.entries(subAccounts).flatMap(([merchantId, subAccount]) => {
      const name = `${config.type} ${subAccount}`;
      const owner = owners.get(name) ?? merchantId;
      owners.set(name, owner);
      return owner === merchantId
        ? []
        : [`PROVIDERS[${at}].sub_accounts names an account of ${owner} for ${merchantId}`];
    });
  });
}
