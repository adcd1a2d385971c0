// Tests the commands about secrets and payers, as processes where the environment matters.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { env } from "@/server/platform/env";
import { createKeyRing } from "@/server/platform/key-ring";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { documentOf, refusalOf, runCli } from "./testing/run-cli";
import { runCommand as run } from "./testing/run-command";

vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let merchant: TestMerchant;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-secrets-"));
  merchant = await makeMerchant();
  await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
});
afterEach(() => vi.unstubAllGlobals());
afterAll(async () => {
  await disconnect();
  await rm(folder, { recursive: true });
});

async function secretsFile(...secrets: readonly Buffer[]): Promise<string> {
  const path = join(folder, "secrets");
  await writeFile(path, `${secrets.map((secret) => secret.toString("base64")).join(",")}\n`, { mode: 0o600 });
  return path;
}

it("a command reads its secrets from the file in place of the variable, and rejects both", async () => {
  const path = await secretsFile(...env().secrets);
  const given = { SLUICE_SECRETS: null, SLUICE_SECRETS_FILE: path };
  const { data } = documentOf(await runCli(["secrets", "status"], given));
  expect(data).toContainEqual({
    column: "payout_intent.account_sealed",
    purpose: "account-encryption",
    key_id: createKeyRing(env().secrets).current("account-encryption").id,
    state: "current",
    rows: 1,
    ends_by: "rewrap",
  });
  const both = await runCli(["secrets", "status"], { SLUICE_SECRETS_FILE: path });
  expect(refusalOf(both).message).toContain("set only one of them");
});

it("secrets rewrap prints what it moved, and what still needs the old secret", async () => {
  vi.stubGlobal("sluiceKeyRing", createKeyRing([randomBytes(32), ...env().secrets]));
  const { id } = createKeyRing(env().secrets).current("session");
  const { data, old_keys: oldKeys } = await run("secrets", "rewrap");
  expect(data).toContainEqual({ column: "payout_intent.account_sealed", rows: 1, unreadable: 0 });
  const neededBy = ["payout_intent.account_digest", "audit_entry.after"];
  expect(oldKeys).toEqual([{ variable: "SLUICE_SECRETS", key_id: id, removable: false, needed_by: neededBy }]);
});

it("payers erase takes one name of the payer", async () => {
  const erase = (...words: string[]) => run("payers", "erase", "--merchant", merchant.merchantId, ...words);
  expect(await erase("--reference", "nobody")).toEqual({ payments_erased: 0, payments_open: 0, api_log_deleted: 0 });
  expect(await erase()).toMatchObject({ code: "usage" });
  expect(await erase("--reference", "a", "--email", "b@example.com")).toMatchObject({ code: "usage" });
  const unknown = await run("payers", "erase", "--merchant", "mer_unknown", "--reference", "a");
  expect(unknown).toMatchObject({ code: "not_found" });
});
