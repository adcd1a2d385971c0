// Owns the command that lists a merchant's API keys.
import { ENVIRONMENTS } from "@/server/domain/scope";
import { presentApiKey } from "@/server/http/present/api-key";
import { listApiKeys } from "@/server/services/api-keys/list";
import { defineCommand, oneOf, required } from "../command";

export const keysList = defineCommand({
  name: "keys list",
  summary: "List API keys, those that have ended last; no secret is shown",
  options: { merchant: required("ID", "the merchant"), environment: oneOf(ENVIRONMENTS, "whose keys") },
  run: async ({ merchant, environment }) => ({
    data: (await listApiKeys({ merchantId: merchant, environment })).map(presentApiKey),
  }),
});
