// Owns the command that revokes an API key (interface §5).
import { formatInstant } from "@/server/contract/instants";
import { revokeApiKey } from "@/server/services/merchants/api-keys";
import { defineCommand, required } from "../command";

export const keysRevoke = defineCommand({
  name: "keys revoke",
  summary: "Revoke an API key; every process refuses it within a second",
  options: { "public-key": required("PK", "the key's public part") },
  run: async ({ "public-key": publicKey }) => {
    const revokedAt = await revokeApiKey(publicKey);
    return { public_key: publicKey, revoked_at: formatInstant(revokedAt) };
  },
});
