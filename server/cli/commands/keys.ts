import { formatInstant } from "@/server/contract/instants";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { presentApiKey } from "@/server/http/present/api-key";
import { requireKeyByPublicKey } from "@/server/services/api-keys/by-public-key";
import { createApiKey } from "@/server/services/api-keys/create";
import { listApiKeys } from "@/server/services/api-keys/list";
import { revokeApiKey } from "@/server/services/api-keys/revoke";
import { rollApiKey } from "@/server/services/api-keys/roll";
import { asOperator } from "../acting-as";
import { type Command, defineCommand, oneOf, optional, required } from "../command";
import { readDuration } from "../duration-option";

const create = defineCommand({
  name: "keys create",
  summary: "Create an API key; its secret is shown this once",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "what the key's objects belong to"),
    name: optional("NAME", "what people call the key"),
  },
  run: async ({ merchant, environment, name }) => {
    const context = asOperator({ merchantId: merchant, environment });
    const { id, publicKey, secretKey } = await createApiKey(context, name ?? "Unnamed key");
    return { id, merchant_id: merchant, environment, public_key: publicKey, secret_key: secretKey };
  },
});

const list = defineCommand({
  name: "keys list",
  summary: "List API keys, those that have ended last; no secret is shown",
  options: { merchant: required("ID", "the merchant"), environment: oneOf(ENVIRONMENTS, "whose keys") },
  run: async ({ merchant, environment }) => ({
    data: (await listApiKeys({ merchantId: merchant, environment })).map(presentApiKey),
  }),
});

const roll = defineCommand({
  name: "keys roll",
  summary: "Replace an API key; the new secret is shown this once, the old pair goes on for its grace",
  options: {
    publicKey: required("PK", "the public part of the key that is replaced"),
    grace: optional("SPAN", "how long the old pair goes on: 24h by default, 7d at most"),
  },
  run: async ({ publicKey, grace }) => {
    const graceSeconds = readDuration("grace", grace ?? "24h");
    const { id, scope } = await requireKeyByPublicKey(publicKey);
    const rolled = await rollApiKey(asOperator(scope), { id, graceSeconds });
    const { replaced } = rolled;
    return {
      id: rolled.id,
      public_key: rolled.publicKey,
      secret_key: rolled.secretKey,
      replaced: { public_key: replaced.publicKey, expires_at: formatInstant(replaced.expiresAt) },
    };
  },
});

const revoke = defineCommand({
  name: "keys revoke",
  summary: "Revoke an API key; every process refuses it within a second",
  options: { publicKey: required("PK", "the key's public part") },
  run: async ({ publicKey }) => {
    const { id, scope } = await requireKeyByPublicKey(publicKey);
    const revokedAt = await revokeApiKey(asOperator(scope), id);
    return { public_key: publicKey, revoked_at: formatInstant(revokedAt) };
  },
});

export const keys: readonly Command[] = [create, list, roll, revoke];
