// The keys that are checked, and pairs that must be refused.
import { randomBytes } from "node:crypto";
import { createApiKey } from "@/server/services/api-keys/create";
import type { CreatedKey } from "@/server/services/api-keys/new-key";
import { createMerchant } from "@/server/services/merchants/create";
import { operatorContext } from "@/server/services/merchants/operator";

export type Pair = Pick<CreatedKey, "publicKey" | "secretKey">;

/** Creates a merchant with so many test keys, by the service's own commands. */
export async function makeKeys(count: number): Promise<readonly CreatedKey[]> {
  const context = operatorContext(await createMerchant("Key check", ["BRL"]), "test");
  const keys: CreatedKey[] = [];
  for (let n = 0; n < count; n += 1) keys.push(await createApiKey(context, `key ${n}`));
  return keys;
}

const other = (text: string, length: number) => text.slice(0, 8) + randomBytes(length).toString("hex").slice(0, length);

/** A pair with a public key that nobody has, and a secret of the right form. */
export function unknownPair(pair: Pair): Pair {
  return { publicKey: other(pair.publicKey, 24), secretKey: other(pair.secretKey, 43) };
}

/** The public key with a secret of the right form that is not its own. */
export function wrongPair({ publicKey, secretKey }: Pair): Pair {
  return { publicKey, secretKey: other(secretKey, 43) };
}
