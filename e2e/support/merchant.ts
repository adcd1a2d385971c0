// Creates merchants and keys for specs, by the operator's commands.
import { command } from "./operator";
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

interface MerchantOptions {
  readonly name?: string;
  readonly currencies?: readonly string[];
  /** The name of its cell, if there are several; by default that of the service's specs. */
  readonly cell?: string;
}

/** Creates a merchant with a test and a live key. */
export async function createMerchant(
  service: ServiceAddress,
  { name = "Spec Merchant", currencies = CURRENCIES, cell = service.cell?.name }: MerchantOptions = {},
): Promise<Merchant> {
  const printed = await command<{ id: string; keys: { test: PrintedKey; live: PrintedKey } }>(
    service,
    "merchants",
    "create",
    `--name=${name}`,
    `--currencies=${currencies.join(",")}`,
    "--with-keys",
    ...(cell === undefined ? [] : [`--cell=${cell}`]),
  );
  const { test, live } = printed.keys;
  return { id: printed.id, name, currencies, keys: { test: readKey(test), live: readKey(live) } };
}

/** Creates one more key of a merchant; `options` are further words of `keys create`. */
export async function createKey(
  service: ServiceAddress,
  merchantId: string,
  environment: "test" | "live",
  ...options: readonly string[]
): Promise<ApiKey> {
  const words = ["keys", "create", "--merchant", merchantId, "--environment", environment, ...options];
  return readKey(await command<PrintedKey>(service, ...words));
}
