// Owns the command that shows a merchant's wallets.
import { ENVIRONMENTS } from "@/server/domain/scope";
import { merchantSettings } from "@/server/services/merchants/settings";
import { getWallets } from "@/server/services/wallets";
import { defineCommand, oneOf, required } from "../command";

export const walletsShow = defineCommand({
  name: "wallets show",
  summary: "Show what a merchant holds in each currency, in minor units",
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
