import { z } from "zod";
import { LONGEST_GRACE_SECONDS } from "@/server/domain/api-key";
import { object, text } from "./fields";

export const createApiKeyBody = object({ name: text(1, 100) });

export const rollApiKeyBody = object({
  grace_seconds: z.number().int().min(0).max(LONGEST_GRACE_SECONDS, { error: "must be at most 7 days" }),
});
