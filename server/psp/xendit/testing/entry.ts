// One business at Xendit for the adapter's tests.
import { type XenditConfig, xenditConfig } from "../config";

/** Real keys contain what Basic authentication must not mangle. */
export const KEY = `xnd_development_${"a1B2+/".repeat(6)}==`;
export const BUSINESS = "5f27a14a9bf05c73dd040bc8";
export const TOKEN = "t0123456789abcdef0123456789";

/** Returns the configuration of an entry that offers everything in the test environment. */
export function configAt(url: string, changes: object = {}): XenditConfig {
  const entry = { name: "xendit", type: "xendit", account: BUSINESS, secret_key: KEY, environments: ["test"] };
  const offers = { payment_methods: "all", payout_currencies: "all", webhook_tokens: [TOKEN] };
  return xenditConfig.parse({ ...entry, ...offers, url, ...changes });
}
