// A merchant is created with its first keys, or not at all.
import { expect, it } from "vitest";
import { queryAcrossMerchants } from "@/server/db/client";
import { queryAsOwner } from "@/server/testing/owner";
import { newKeyPair } from "../api-keys/new-key";
import { createMerchant } from "./create";

it("a merchant whose second key cannot be stored is not created", async () => {
  const name = "Halfway";
  await queryAsOwner("ALTER TABLE api_key ADD CONSTRAINT no_live_keys CHECK (environment <> 'live') NOT VALID");
  try {
    await expect(createMerchant(name, ["BRL"], [newKeyPair("test").kept, newKeyPair("live").kept])).rejects.toThrow(
      "no_live_keys",
    );
  } finally {
    await queryAsOwner("ALTER TABLE api_key DROP CONSTRAINT no_live_keys");
  }
  expect(await queryAcrossMerchants("SELECT 1 FROM merchant WHERE name = $1", name)).toEqual([]);
});
