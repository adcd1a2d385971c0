// Creates merchants and keys for specs, by the operator's commands.
import { type CommandTarget, cli } from "./cli";

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

/** Creates a merchant with a test and a live key. */
export async function createMerchant(
  target: CommandTarget,
  { name = "Spec Merchant", currencies = CURRENCIES }: { name?: string; currencies?: readonly string[] } = {},
): Promise<Merchant> {
  const printed = await cli<{ id: string; keys: { test: PrintedKey; live: PrintedKey } }>(
    target,
    "merchants",
    "create",
    `--name=${name}`,
    `--currencies=${currencies.join(",")}`,
    "--with-keys",
  );
  const { test, live } = printed.keys;
  return { id: printed.id, name, currencies, keys: { test: readKey(test), live: readKey(live) } };
}

/** Creates one more key of a merchant. */
export async function createKey(
  target: CommandTarget,
  merchantId: string,
  environment: "test" | "live",
): Promise<ApiKey> {
  return readKey(
    await cli<PrintedKey>(target, "keys", "create", "--merchant", merchantId, "--environment", environment),
  );
}
