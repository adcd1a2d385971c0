// Owns making merchants and keys for specs, the way an operator makes them.
import { cli } from "./cli";
import type { ServiceAddress } from "./service";

export interface ApiKey {
  readonly publicKey: string;
  readonly secretKey: string;
}

export interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly currencies: readonly string[];
  readonly keys: { readonly test: ApiKey; readonly live: ApiKey };
}

interface PrintedKey {
  readonly public_key: string;
  readonly secret_key: string;
}

const readKey = ({ public_key, secret_key }: PrintedKey): ApiKey => ({ publicKey: public_key, secretKey: secret_key });

export const CURRENCIES = ["BRL", "MXN", "USDT"];

/** A new merchant with a test and a live key; it takes about a second. */
export async function createMerchant(
  service: ServiceAddress,
  { name = "Spec Merchant", currencies = CURRENCIES }: { name?: string; currencies?: readonly string[] } = {},
): Promise<Merchant> {
  const printed = await cli<{ id: string; keys: { test: PrintedKey; live: PrintedKey } }>(
    service,
    "merchants",
    "create",
    `--name=${name}`,
    `--currencies=${currencies.join(",")}`,
    "--with-keys",
  );
  const { test, live } = printed.keys;
  return { id: printed.id, name, currencies, keys: { test: readKey(test), live: readKey(live) } };
}

/** One more key of a merchant. */
export async function createKey(
  service: ServiceAddress,
  merchantId: string,
  environment: "test" | "live",
): Promise<ApiKey> {
  return readKey(
    await cli<PrintedKey>(service, "keys", "create", "--merchant", merchantId, "--environment", environment),
  );
}
