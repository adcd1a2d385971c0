import { insertMerchant } from "@/server/db/merchants";
import { isKnownCurrency } from "@/server/domain/currencies";
import { validationError } from "@/server/domain/errors";
import { newId } from "@/server/platform/ids";
import { openingOf } from "./opening";
import { operatorAct } from "./operator";

/** Creates a merchant with its currencies and funded test wallets; returns its id. Throws validation_failed. */
export async function createMerchant(name: string, currencies: readonly string[]): Promise<string> {
  if (name.trim() === "") throw validationError("name", "must not be empty");
  const codes = [...new Set(currencies)];
  if (codes.length === 0) throw validationError("currencies", "must name at least one currency");
  const unknown = codes.find((code) => !isKnownCurrency(code));
  if (unknown !== undefined)
    throw validationError("currencies", `contains ${unknown}, which this service does not know`);
  const id = newId("merchant");
  const opening = codes.map((currency) => openingOf(id, currency));
  await insertMerchant({ id, name, currencies: codes, opening }, operatorAct());
  return id;
}
