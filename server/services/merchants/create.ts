import type { NewApiKey } from "@/server/db/api-keys";
import { insertMerchant } from "@/server/db/merchants";
import { type KeyLimits, NO_LIMITS } from "@/server/domain/api-key";
import { isKnownCurrency } from "@/server/domain/currencies";
import { validationError } from "@/server/domain/errors";
import { newId } from "@/server/platform/ids";
import { openingOf } from "./opening";
import { operatorAct } from "./operator";

type FirstKey = Omit<NewApiKey, "merchantId" | "name" | keyof KeyLimits>;

/**
 * Creates a merchant with its currencies, funded test wallets and first API keys, all or nothing; returns its id. Throws
 * validation_failed.
 */
export async function createMerchant(
  name: string,
  currencies: readonly string[],
  firstKeys: readonly FirstKey[] = [],
): Promise<string> {
  if (name.trim() === "") throw validationError("name", "must not be empty");
  const codes = [...new Set(currencies)];
  if (codes.length === 0) throw validationError("currencies", "must name at least one currency");
  const unknown = codes.find((code) => !isKnownCurrency(code));
  if (unknown !== undefined)
    throw validationError("currencies", `contains ${unknown}, which this service does not know`);
  const id = newId("merchant");
  const opening = codes.map((currency) => openingOf(id, currency));
  const keys = firstKeys.map((key) => ({ ...key, merchantId: id, name: "First key", ...NO_LIMITS }));
  await insertMerchant({ id, name, currencies: codes, opening, keys }, operatorAct());
  return id;
}
