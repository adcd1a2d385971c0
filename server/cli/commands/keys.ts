import { formatInstant } from "@/server/contract/instants";
import type { KeyLimits } from "@/server/domain/api-key";
import { validationError } from "@/server/domain/errors";
import { isKeyScope, KEY_SCOPES, type KeyScope } from "@/server/domain/key-scopes";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { presentApiKey } from "@/server/http/present/api-key";
import { withinMerchant } from "@/server/platform/reach";
import { requireKeyByPublicKey } from "@/server/services/api-keys/by-public-key";
import { createApiKey } from "@/server/services/api-keys/create";
import { listApiKeys } from "@/server/services/api-keys/list";
import { revokeApiKey } from "@/server/services/api-keys/revoke";
import { revokeAllApiKeys } from "@/server/services/api-keys/revoke-all";
import { rollApiKey } from "@/server/services/api-keys/roll";
import { asOperator } from "../acting-as";
import { type Command, defineCommand, oneOf, optional, required } from "../command";
import { readDuration } from "../duration-option";
import { readOptionalInstant } from "../instant-option";
import { splitList } from "../lists";

/** Parses a list of scopes. Throws validation_failed, naming the first that is unknown. */
function readScopes(list: string): KeyScope[] {
  return splitList(list).map((scope) => {
    if (!isKeyScope(scope)) throw validationError("scopes", `must be of ${KEY_SCOPES.join(", ")}; ${scope} is not`);
    return scope;
  });
}

const create = defineCommand({
  name: "keys create",
  summary: "Create an API key; its secret is shown only once",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "the environment of the objects that the key creates and reads"),
    name: optional("NAME", "a name for people"),
    scopes: optional("LIST", "what the key may do, such as payment_intents:write,wallets:read; everything by default"),
    networks: optional("LIST", "CIDRs from which the key works, such as 203.0.113.0/24; all by default"),
    expires: optional("INSTANT", "when the key ends, such as 2027-01-01T00:00:00Z; never by default"),
  },
  run: async ({ merchant, environment, name, scopes, networks, expires }) => {
    const context = asOperator({ merchantId: merchant, environment });
    const limits: KeyLimits = {
      scopes: scopes === null ? null : readScopes(scopes),
      networks: networks === null ? null : splitList(networks),
      validUntil: readOptionalInstant("expires", expires),
    };
    const { id, publicKey, secretKey } = await createApiKey(context, name ?? "Unnamed key", limits);
    return { id, merchant_id: merchant, environment, public_key: publicKey, secret_key: secretKey };
  },
});

const list = defineCommand({
  name: "keys list",
  summary: "List API keys, ended keys last; no secrets are shown",
  cells: "merchant",
  options: { merchant: required("ID", "the merchant"), environment: oneOf(ENVIRONMENTS, "whose keys") },
  run: async ({ merchant, environment }) => ({
    data: (await listApiKeys({ merchantId: merchant, environment })).map(presentApiKey),
  }),
});

const roll = defineCommand({
  name: "keys roll",
  summary: "Replace an API key; the new secret is shown only once, and the old pair works until its grace period ends",
  cells: "publicKey",
  options: {
    publicKey: required("PK", "the public key of the pair to replace"),
    grace: optional("SPAN", "how long the old pair still works: 24h by default, 7d at most"),
  },
  run: async ({ publicKey, grace }) => {
    const graceSeconds = readDuration("grace", grace ?? "24h");
    const { id, scope } = await requireKeyByPublicKey(publicKey);
    const roll = () => rollApiKey(asOperator(scope), { id, graceSeconds });
    const rolled = await withinMerchant(scope.merchantId, roll);
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
  summary: "Revoke an API key; every process rejects it within a second",
  cells: "publicKey",
  options: { publicKey: required("PK", "the public key of the pair") },
  run: async ({ publicKey }) => {
    const { id, scope } = await requireKeyByPublicKey(publicKey);
    const revokedAt = await withinMerchant(scope.merchantId, () => revokeApiKey(asOperator(scope), id));
    return { public_key: publicKey, revoked_at: formatInstant(revokedAt) };
  },
});

const revokeAll = defineCommand({
  name: "keys revoke-all",
  summary: "Revoke every API key of a merchant in one environment; every process rejects them within a second",
  cells: "merchant",
  options: { merchant: required("ID", "the merchant"), environment: oneOf(ENVIRONMENTS, "whose keys") },
  run: async ({ merchant, environment }) => ({
    revoked: await revokeAllApiKeys(asOperator({ merchantId: merchant, environment })),
  }),
});

export const keys: readonly Command[] = [create, list, roll, revoke, revokeAll];
