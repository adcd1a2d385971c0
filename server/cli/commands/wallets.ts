import { validationError } from "@/server/domain/errors";
import { parseAmount } from "@/server/domain/money";
import { ENVIRONMENTS, type Scope } from "@/server/domain/scope";
import { merchantSettings } from "@/server/services/merchants/settings";
import { asServiceError } from "@/server/services/outage";
import { fundWallet, getWallets } from "@/server/services/wallets";
import { asOperator } from "../acting-as";
import { type Command, defineCommand, oneOf, optional, required } from "../command";

const fund = defineCommand({
  name: "wallets fund",
  summary: "Book money that you received into a wallet, with an audit entry",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "whose wallet"),
    currency: required("CODE", "an enabled currency or token"),
    amount: required("UNITS", "minor units: 100000 is 1000.00 BRL"),
    reference: optional("TEXT", "your reference for the money; the same reference books once"),
  },
  run: async ({ merchant, environment, currency, amount, reference }) => {
    const units = parseAmount(amount, currency);
    if (units === null) throw validationError("amount", "must be a positive whole number of minor units");
    const context = asOperator({ merchantId: merchant, environment });
    if (reference === "") throw validationError("reference", "must not be empty");
    const booked = await fundWallet(context, { currency, amount: units, reference });
    const balances = await balancesNow(context.scope);
    const wallet = balances?.find((balance) => balance.currency === currency);
    return {
      merchant_id: merchant,
      environment,
      currency,
      amount,
      reference,
      booked,
      available: balances && String(wallet?.available ?? 0n),
      held: balances && String(wallet?.held ?? 0n),
    };
  },
});

/** Null if they cannot be read now: the money is booked, and a command that seems to have failed would be repeated. */
async function balancesNow(scope: Scope): Promise<Awaited<ReturnType<typeof getWallets>> | null> {
  try {
    return await getWallets(scope);
  } catch (error) {
    if (asServiceError(error)?.code === "service_unavailable") return null;
    throw error;
  }
}

const show = defineCommand({
  name: "wallets show",
  summary: "Show a merchant's balances per currency, in minor units",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "whose wallets"),
  },
  run: async ({ merchant, environment }) => {
    await merchantSettings(merchant);
    const balances = await getWallets({ merchantId: merchant, environment });
    const data = balances.map(({ currency, available, held }) => ({
      currency,
      available: available.toString(),
      held: held.toString(),
    }));
    return { merchant_id: merchant, environment, data };
  },
});

export const wallets: readonly Command[] = [fund, show];
