// Owns the command that replaces an API key.
import { formatInstant } from "@/server/contract/instants";
import { rollApiKey } from "@/server/services/merchants/api-keys";
import { defineCommand, optional, required } from "../command";
import { readDuration } from "../duration-option";

export const keysRoll = defineCommand({
  name: "keys roll",
  summary: "Replace an API key; the new secret is shown this once, the old pair goes on for its grace",
  options: {
    "public-key": required("PK", "the public part of the key that is replaced"),
    grace: optional("SPAN", "how long the old pair goes on: 24h by default, 7d at most"),
  },
  run: async ({ "public-key": publicKey, grace }) => {
    const rolled = await rollApiKey(publicKey, readDuration("grace", grace ?? "24h"));
    const { replaced } = rolled;
    return {
      id: rolled.id,
      public_key: rolled.publicKey,
      secret_key: rolled.secretKey,
      replaced: { public_key: replaced.publicKey, expires_at: formatInstant(replaced.expiresAt) },
    };
  },
});
