import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { env, provideRuntime } from "@/server/platform/env";
import { addressOf, createDatabase, dropDatabase, nameOf } from "@/server/testing/databases";
import { balanceOf, makeLiveMerchant, payout } from "@/server/testing/merchant";
import { type RememberingProvider, startRememberingProvider } from "@/server/testing/remembering-provider";
import { workOnDueIntents } from "../due-intents";
import { forgetMerchantSettings } from "../merchants/settings";
import { createPayoutIntent } from "../payout-intents/create";
import { getPayoutIntent } from "../payout-intents/get";
import { unsealed } from "../unsealed";
import { deriveReferences } from "./prepare";

const original = env().databaseUrl ?? "";
const server = addressOf(original, "postgres");
const backup = `${nameOf(original)}_backup`;

let provider: RememberingProvider;
beforeAll(async () => {
  provideRuntime({ databaseUrl: original, secrets: env().secrets, referenceKey: randomBytes(32) });
  provider = await startRememberingProvider();
});
afterAll(async () => {
  await disconnect();
  await provider.server.stop();
  await dropDatabase(server, addressOf(server, backup));
});

const work = () => workOnDueIntents("payout_intent", 50, 30_000);

it("after a restore, a retried payout meets what its provider has executed already, and another one cannot hide it", async () => {
  const merchant = await makeLiveMerchant();
  await deriveReferences();
  forgetMerchantSettings(merchant.merchantId);
  const before = await balanceOf(merchant);
  await disconnect();
  const restored = await createDatabase(server, backup, nameOf(original));

  const [command, other] = [payout(), payout()];
  const first = await createPayoutIntent(merchant.context, command, unsealed());
  const lost = await createPayoutIntent(merchant.context, other, unsealed());
  await work();
  expect(provider.executed.size).toBe(2);
  expect(await balanceOf(merchant)).toEqual([before[0] - 50_000n, 0n]);

  await disconnect();
  provideRuntime({ databaseUrl: restored, secrets: env().secrets });
  const retried = await createPayoutIntent(merchant.context, command, unsealed());
  const reused = await createPayoutIntent(merchant.context, { ...other, amount: "30000" }, unsealed());
  expect([retried.status, reused.status]).toEqual([201, 201]);
  expect(retried.intent.id).not.toBe(first.intent.id);
  await work();

  expect([...provider.executed.keys()]).toEqual([first.intent.dispatchReference, lost.intent.dispatchReference]);
  expect((await getPayoutIntent(merchant.scope, retried.intent.id)).status).toBe("succeeded");
  expect((await getPayoutIntent(merchant.scope, reused.intent.id)).status).toBe("processing");
  await query("UPDATE payout_intent SET due_at = now() WHERE id = $1", reused.intent.id);
  await work();
  expect((await getPayoutIntent(merchant.scope, reused.intent.id)).status).toBe("processing");
  const opened = await query<{ kind: string; object_id: string; detail: object }>(
    "SELECT kind, object_id, detail FROM exception",
  );
  expect(opened).toMatchObject([
    {
      kind: "contradiction",
      object_id: reused.intent.id,
      detail: { amount: "30000", provider_amount: "25000", reported: "settled" },
    },
  ]);
  expect(await balanceOf(merchant)).toEqual([before[0] - 55_000n, 30_000n]);
});
