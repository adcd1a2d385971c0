// Owns the command that creates an API key (interface §5).
import { ENVIRONMENTS } from "@/server/domain/scope";
import { createApiKey } from "@/server/services/merchants/api-keys";
import { defineCommand, oneOf, optional, required } from "../command";

export const keysCreate = defineCommand({
  name: "keys create",
  summary: "Create an API key; its secret is shown this once",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "what the key's objects belong to"),
    name: optional("NAME", "what people call the key"),
  },
  run: async ({ merchant, environment, name }) => {
    const { id, publicKey, secretKey } = await createApiKey(merchant, environment, name ?? "Unnamed key");
    return { id, merchant_id: merchant, environment, public_key: publicKey, secret_key: secretKey };
  },
});
