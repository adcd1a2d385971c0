// Keys that members create with limits.
import { expect, it } from "vitest";
import { newId } from "@/server/platform/ids";
import { makeMember, makeMerchant } from "@/server/testing/merchant";
import { createCaller } from "./router";

const inEnglish = () => Promise.resolve("en" as const);

const HOUR_MS = 3_600_000;

async function developerKeys() {
  const { merchantId } = await makeMerchant();
  const id = await makeMember(merchantId, `${newId("request")}@shop.example`, "developer");
  const member = {
    id,
    email: "developer@shop.example",
    roles: ["developer"],
    testRoles: null,
    name: null,
    merchantId,
    merchantName: "M",
  };
  const session = { merchantId, sessionId: newId("session"), member, mustEnrol: false };
  return createCaller({ session, requestId: newId("request"), address: null, language: inEnglish }).apiKeys;
}

const inOneHour = () => new Date(Date.now() + HOUR_MS).toISOString();

it("a member limits a new key to scopes, networks and an expiry; a key without limits has none", async () => {
  const keys = await developerKeys();
  const limits = { scopes: ["wallets:read" as const], networks: ["203.0.113.0/24"], expires_at: inOneHour() };
  const limited = await keys.create({ environment: "test", name: "Limited", ...limits });
  const free = await keys.create({ environment: "test", name: "Free" });
  const listed = await keys.list({ environment: "test" });
  expect(listed.find(({ id }) => id === limited.id)).toMatchObject(limits);
  expect(listed.find(({ id }) => id === free.id)).toMatchObject({ scopes: null, networks: null, expires_at: null });
});

it.each([
  ["no scope", { scopes: [] }],
  ["an unknown scope", { scopes: ["everything"] }],
  ["no network", { networks: [] }],
  ["a network that is no CIDR", { networks: ["203.0.113.7"] }],
  ["an expiry in the past", { expires_at: "2020-01-01T00:00:00Z" }],
  ["an expiry that is no instant", { expires_at: "tomorrow" }],
])("a member creates no key with %s", async (_what, limits) => {
  const keys = await developerKeys();
  const create = keys.create({ environment: "test", name: "Faulty", ...(limits as object) });
  await expect(create).rejects.toMatchObject({ code: expect.stringMatching(/BAD_REQUEST|UNPROCESSABLE/) as string });
  const listed = await keys.list({ environment: "test" });
  expect(listed.map(({ name }) => name)).not.toContain("Faulty");
});
