import { z } from "zod";
import { createApiKeyBody, rollApiKeyBody } from "@/server/contract/api-keys";
import { formatInstant, parseInstant } from "@/server/contract/instants";
import { stepUpProof } from "@/server/contract/step-up";
import type { KeyLimits } from "@/server/domain/api-key";
import { presentApiKey } from "@/server/http/present/api-key";
import { createApiKey } from "@/server/services/api-keys/create";
import { listApiKeys } from "@/server/services/api-keys/list";
import type { CreatedKey } from "@/server/services/api-keys/new-key";
import { revokeApiKey } from "@/server/services/api-keys/revoke";
import { rollApiKey } from "@/server/services/api-keys/roll";
import { countOtherApprovers } from "@/server/services/members/list";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { memberProcedure, router } from "./procedures";

const key = z.object({ id: z.string().max(64) });
const manage = memberProcedure("manage_keys");

/** The pair, whose secret no other answer contains. */
function presentPair({ id, publicKey, secretKey }: CreatedKey) {
  return { id, public_key: publicKey, secret_key: secretKey };
}

function limitsOf({ scopes, networks, expires_at: expiresAt }: z.infer<typeof createApiKeyBody>): KeyLimits {
  return {
    scopes: scopes ?? null,
    networks: networks ?? null,
    validUntil: expiresAt === undefined ? null : parseInstant(expiresAt),
  };
}

export const apiKeysRouter = router({
  list: manage.query(async ({ ctx: { call } }) => (await listApiKeys(call.scope)).map(presentApiKey)),

  /** How many members other than the caller could approve payouts made with a key that the caller creates. */
  otherApprovers: manage.query(async ({ ctx: { call } }) => ({
    count: await countOtherApprovers(call.scope, call.actor.id),
  })),

  create: manage.input(createApiKeyBody.extend(stepUpProof.shape)).mutation(async ({ ctx: { call }, input }) => {
    await requireStepUp(call, "key_create", input);
    return presentPair(await createApiKey(call, input.name, limitsOf(input)));
  }),

  roll: manage
    .input(rollApiKeyBody.extend({ ...key.shape, ...stepUpProof.shape }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "key_roll", input);
      const rolled = await rollApiKey(call, { id: input.id, graceSeconds: input.grace_seconds });
      const { publicKey, expiresAt } = rolled.replaced;
      return { ...presentPair(rolled), replaced: { public_key: publicKey, expires_at: formatInstant(expiresAt) } };
    }),

  revoke: manage.input(key).mutation(async ({ ctx: { call }, input }) => ({
    revoked_at: formatInstant(await revokeApiKey(call, input.id)),
  })),
});
