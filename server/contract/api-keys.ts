import { z } from "zod";
import { LONGEST_GRACE_SECONDS, MOST_KEY_NETWORKS } from "@/server/domain/api-key";
import { KEY_SCOPES } from "@/server/domain/key-scopes";
import { object, text } from "./fields";
import { instant } from "./lists";

/** The limits of a new key; without one, the key is not limited in that respect. */
export const createApiKeyBody = object({
  name: text(1, 100),
  scopes: z.array(z.enum(KEY_SCOPES)).max(KEY_SCOPES.length).optional(),
  networks: z.array(text(1, 64)).max(MOST_KEY_NETWORKS).optional(),
  expires_at: instant.optional(),
});

export const rollApiKeyBody = object({
  grace_seconds: z.number().int().min(0).max(LONGEST_GRACE_SECONDS, { error: "must be at most 7 days" }),
});
