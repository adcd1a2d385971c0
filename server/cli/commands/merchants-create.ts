// Owns the command that creates a merchant.
import { ENVIRONMENTS } from "@/server/domain/scope";
import { createApiKey } from "@/server/services/merchants/api-keys";
import { createMerchant } from "@/server/services/merchants/create";
import { defineCommand, flag, required } from "../command";
import { splitList } from "../lists";

async function createKeys(merchantId: string) {
  const entries = ENVIRONMENTS.map(async (environment) => {
    const { publicKey, secretKey } = await createApiKey(merchantId, environment, "First key");
    return [environment, { public_key: publicKey, secret_key: secretKey }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

export const merchantsCreate = defineCommand({
  name: "merchants create",
  summary: "Create a merchant; its test wallets start funded",
  options: {
    name: required("NAME", "what people call the merchant"),
    currencies: required("LIST", "enabled currencies and tokens, such as BRL,MXN,USDT"),
    "with-keys": flag("create a test and a live API key too; their secrets are shown this once"),
  },
  run: async ({ name, currencies, "with-keys": withKeys }) => {
    const codes = [...new Set(splitList(currencies))];
    const id = await createMerchant(name, codes);
    return { id, name, currencies: codes, ...(withKeys ? { keys: await createKeys(id) } : {}) };
  },
});
