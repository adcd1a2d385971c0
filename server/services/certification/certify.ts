// Certifies a configured provider: a full course with the sandbox keys of its user.
import { ISO_CURRENCIES, TOKEN_SYMBOLS } from "@/server/domain/currencies";
import { ServiceError, validationError } from "@/server/domain/errors";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import { now } from "@/server/platform/clock";
import { env } from "@/server/platform/env";
import { type ProviderConfig, readProviderConfigs } from "@/server/psp/provider-configs";
import { buildProvider } from "@/server/psp/registry";
import { certifyAccount, certifyUnknownReference, certifyWrongKey, paymentProbe } from "./account";
import type { Course, CourseOptions } from "./course";
import { type CallbackInbox, openInbox } from "./inbox";
import { certifyPayments } from "./payments";
import { certifyPayouts } from "./payouts";
import type { Certification } from "./report";
import { recordInto, type Step } from "./step";
import { certifyTopups, topupProbe } from "./topups";

/** An entry with a key of one account, of a built-in adapter. */
type KeyedConfig = Extract<ProviderConfig, { readonly secret_key: string }>;

export interface CertificationOptions extends Omit<CourseOptions, "inbox"> {
  /** Only these methods, currencies and tokens; null for all that the entry offers. */
  readonly only: readonly string[] | null;
  /** The port on 127.0.0.1 that receives callbacks, 0 for any free one; null for none. */
  readonly callbackPort: number | null;
  /** Called once the port is open. */
  onListening(inbox: CallbackInbox): void;
}

/** Returns the entry of that name. Throws not_found, and validation_failed if it cannot be certified, as with live keys. */
export function requireCertifiable(configs: readonly ProviderConfig[], name: string): KeyedConfig {
  const config = configs.find((one) => one.name === name);
  if (!config) throw new ServiceError("not_found", `PROVIDERS has no entry called ${name}.`);
  if (!("secret_key" in config))
    throw validationError("name", "names a bridge: only built-in adapters can be certified");
  if (config.environments.some((environment) => environment !== "test")) {
    throw validationError("name", "names an entry with live keys: certify an entry with test keys");
  }
  return config;
}

/** Certifies the entry of PROVIDERS with that name. Throws as `requireCertifiable` does, before any call. */
export async function certifyConfigured(name: string, options: CertificationOptions): Promise<Certification> {
  return certify(requireCertifiable(readProviderConfigs(env().providers), name), options);
}

/** A key with the prefix and length of the real one. */
function wrongKeyOf(key: string): string {
  const prefix = /^[a-z]+_test_/.exec(key)?.[0] ?? "";
  return prefix.padEnd(key.length, "0");
}

/** Runs the course and returns its steps. Steps that fail do not end it; the signal does. */
export async function certify(config: KeyedConfig, options: CertificationOptions): Promise<Certification> {
  const { gateway, receiver, inspect, readBalances } = buildProvider(config);
  const { only, callbackPort, onListening, signal } = options;
  const startedAt = now();
  const inbox = callbackPort !== null && receiver ? await openInbox(receiver, callbackPort) : null;
  if (inbox) onListening(inbox);
  const steps: Step[] = [];
  const wrongKey = buildProvider({ ...config, secret_key: wrongKeyOf(config.secret_key) }).gateway;
  const [subAccount = null] = Object.values(gateway.subAccounts ?? {});
  const course: Course = { ...options, inbox, gateway, wrongKey, subAccount, step: recordInto(steps) };
  try {
    const isChosen = (code: string) => only === null || only.includes(code);
    const methods = PAYMENT_METHODS.filter((method) => isChosen(method.code) && gateway.offersPayment(method, "test"));
    const currencies = [...ISO_CURRENCIES, ...TOKEN_SYMBOLS].filter(
      (code) => isChosen(code) && gateway.offersPayout(code, "test"),
    );
    const pairs = ("topups" in config ? config.topups : []).filter(({ source }) => isChosen(source));
    const [method] = methods;
    const [pair] = pairs;
    const probe = () => (method ? paymentProbe(course, method) : pair ? topupProbe(pair) : null);
    await certifyAccount(course, inspect);
    await certifyWrongKey(course, probe());
    for (const method of methods) if (!signal.aborted) await certifyPayments(course, method);
    for (const currency of currencies) if (!signal.aborted) await certifyPayouts(course, currency, readBalances);
    for (const one of pairs) if (!signal.aborted) await certifyTopups(course, one);
    await certifyUnknownReference(course, probe());
  } finally {
    await inbox?.close();
  }
  const { name, type, account, url } = config;
  const subject = { provider: name, type, account, address: url };
  return { ...subject, startedAt, endedAt: now(), steps };
}
