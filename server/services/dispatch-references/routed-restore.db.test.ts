// Proves that payouts retried after a restore go to the providers that executed them, if a route has several.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { env, provideRuntime } from "@/server/platform/env";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { addressOf, createDatabase, dropDatabase, nameOf } from "@/server/testing/databases";
import { makeLiveMerchant, payout } from "@/server/testing/merchant";
import { type RememberingProvider, startRememberingProvider } from "@/server/testing/remembering-provider";
import { prepareDispatch, resumeDispatch } from "../dispatch/control";
import { forgetPauses } from "../dispatch/paused";
import { workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { forgetMerchantSettings } from "../merchants/settings";
import { createPayoutIntent } from "../payouts/create";
import { deriveReferences } from "./prepare";

const original = env().databaseUrl ?? "";
const server = addressOf(original, "postgres");
const backup = `${nameOf(original)}_routed`;
const NAMES = ["acme", "zeta"] as const;

let providers: readonly RememberingProvider[];
beforeAll(async () => {
  provideRuntime({ databaseUrl: original, referenceKey: randomBytes(32) });
  providers = [await startRememberingProvider(), await startRememberingProvider()];
  const secret = "a secret of at least thirty-two characters";
  const gateways = NAMES.map((name, n) => ({
    name,
    url: providers[n]?.server.url,
    secret,
    payout_currencies: ["BRL"],
  }));
  configureGateways(JSON.stringify(gateways));
  const weighted = NAMES.map((name) => ({ name, weight: 1 }));
  configureRoutes(JSON.stringify([{ kind: "payout", environment: "live", providers: weighted }]));
});
afterAll(async () => {
  await disconnect();
  for (const provider of providers) await provider.server.stop();
  await dropDatabase(server, addressOf(server, backup));
});

const work = () => workOnDueIntents("payout_intent", 50, 30_000);
const executions = () => providers.flatMap(({ executed }) => [...executed.keys()]);

it("each payout is executed once, by the provider that had it before the restore", async () => {
  const merchant = await makeLiveMerchant();
  await deriveReferences();
  forgetMerchantSettings(merchant.merchantId);
  await prepareDispatch();
  await disconnect();
  const restored = await createDatabase(server, backup, nameOf(original));

  const commands = Array.from({ length: 12 }, () => payout());
  const create = () =>
    Promise.all(commands.map((command) => createPayoutIntent(merchant.context, command, withoutIdempotency())));
  const first = await create();
  await work();
  expect(executions()).toHaveLength(commands.length);

  await disconnect();
  provideRuntime({ databaseUrl: restored });
  forgetPauses();
  await resumeDispatch({ provider: null, merchantId: null, currency: null }, "Reconciled up to the backup.");
  const retried = await create();
  expect(retried.map(({ completion }) => completion)).toEqual(commands.map(() => "created"));
  expect(retried.map(({ intent }) => intent.provider)).toEqual(first.map(({ intent }) => intent.provider));
  await work();
  expect(executions()).toHaveLength(commands.length);
});
