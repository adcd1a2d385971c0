import { formatInstant } from "@/server/contract/instants";
import { addCurrency, listCurrencies, removeCurrency } from "@/server/services/merchants/currencies";
import { type Command, defineCommand, required } from "../command";

const MERCHANT = required("ID", "the merchant");
const ONE = { merchant: MERCHANT, currency: required("CODE", "the currency or token") };

async function shown(merchant: string) {
  const currencies = await listCurrencies(merchant);
  return {
    id: merchant,
    currencies: currencies.map(({ currency, removedAt }) => ({
      currency,
      removed_at: removedAt && formatInstant(removedAt),
    })),
  };
}

const list = defineCommand({
  name: "currencies list",
  summary: "List the currencies that a merchant has or had",
  cells: "merchant",
  options: { merchant: MERCHANT },
  run: ({ merchant }) => shown(merchant),
});

const add = defineCommand({
  name: "currencies add",
  summary: "Enable a currency for a merchant; a new test wallet is funded, a live one is empty",
  cells: "merchant",
  options: ONE,
  run: async ({ merchant, currency }) => {
    await addCurrency(merchant, currency);
    return shown(merchant);
  },
});

const remove = defineCommand({
  name: "currencies remove",
  summary: "Disable a currency: nothing new is created in it, existing intents are finished, wallets stay visible",
  cells: "merchant",
  options: ONE,
  run: async ({ merchant, currency }) => {
    await removeCurrency(merchant, currency);
    return shown(merchant);
  },
});

export const currencies: readonly Command[] = [list, add, remove];
