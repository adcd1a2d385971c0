// One store of a BTCPay Server for the adapter's tests.
import { type BtcpayConfig, btcpayConfig } from "../config";

export const KEY = "ab".repeat(20);
export const STORE = "9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776";
export const SECRET = "s0123456789abcdef0123456789";

/** Returns the configuration of an entry that offers both tokens in the test environment. */
export function configAt(url: string, changes: object = {}): BtcpayConfig {
  const entry = { name: "btcpay", type: "btcpay", account: STORE, secret_key: KEY, environments: ["test"] };
  const topups = [
    { source: "BTC", destination: "EUR" },
    { source: "USDT", destination: "BRL" },
  ];
  return btcpayConfig.parse({ ...entry, webhook_secrets: [SECRET], topups, url, ...changes });
}
