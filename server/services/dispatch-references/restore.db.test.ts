// A payout retried after a restore is executed once.

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { announceAttempt } from "@/server/db/attempts";
import { disconnect, query } from "@/server/db/client";
import { env, provideRuntime } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { addressOf, createDatabase, dropDatabase, nameOf } from "@/server/testing/databases";
import { countRows } from "@/server/testing/invariants";
import { balanceOf, makeLiveMerchant, payout } from "@/server/testing/merchant";
import { type RememberingProvider, startRememberingProvider } from "@/server/testing/remembering-provider";
import { prepareDispatch, resumeDispatch, showDispatch } from "../dispatch/control";
import { forgetPauses } from "../dispatch/paused";
import { workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { forgetMerchantSettings } from "../merchants/settings";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { deriveReferences } from "./prepare";

const original = env().databaseUrl ?? "";
const server = addressOf(original, "postgres");
const backup = `${nameOf(original)}_backup`;

let provider: RememberingProvider;
beforeAll(async () => {
  provideRuntime({ databaseUrl: original, referenceKey: randomBytes(32) });
  provider = await startRememberingProvider();
});
afterAll(async () => {
  await disconnect();
  await provider.server.stop();
  await dropDatabase(server, addressOf(server, backup));
});

/** Announces a call like a worker that has not yet noticed the restored database. */
const announceBeside = (intent: Parameters<typeof announceAttempt>[0]) =>
  announceAttempt(intent, "payout_intent", { id: newId("attempt"), ordinal: 1 }, new Date());

const work = () => workOnDueIntents("payout_intent", 50, 30_000);

it("after a restore, a retried payout matches the one that its provider has executed, and another cannot hide it", async () => {
  const merchant = await makeLiveMerchant();
  await deriveReferences();
  forgetMerchantSettings(merchant.merchantId);
  await prepareDispatch();
  const before = await balanceOf(merchant);
  await disconnect();
  const restored = await createDatabase(server, backup, nameOf(original));

  const [command, other] = [payout(), payout()];
  const first = await createPayoutIntent(merchant.context, command, withoutIdempotency());
  const lost = await createPayoutIntent(merchant.context, other, withoutIdempotency());
  await work();
  expect(provider.executed.size).toBe(2);
  expect(await balanceOf(merchant)).toEqual([before[0] - 50_000n, 0n]);

  await disconnect();
  provideRuntime({ databaseUrl: restored });
  const retried = await createPayoutIntent(merchant.context, command, withoutIdempotency());
  const reused = await createPayoutIntent(merchant.context, { ...other, amount: "30000" }, withoutIdempotency());
  expect([retried.completion, reused.completion]).toEqual(["created", "created"]);
  expect(retried.intent.id).not.toBe(first.intent.id);
  forgetPauses();
  await work();
  const asked = provider.server.received.length;
  expect(await countRows("provider_attempt")).toBe(0);
  expect(await showDispatch()).toMatchObject({ isRestored: true, open: [] });
  await expect(announceBeside(retried.intent)).resolves.toBe(false);

  await resumeDispatch({ provider: null, merchantId: null, currency: null }, "Reconciled up to the backup.");
  expect((await showDispatch()).isRestored).toBe(false);
  await work();
  expect(provider.server.received.length).toBeGreaterThan(asked);

  const references = [first.intent.dispatchReference, lost.intent.dispatchReference];
  expect([...provider.executed.keys()].toSorted()).toEqual(references.toSorted());
  const statusOfRetried = async () => {
    await work();
    return (await getIntent(PAYOUTS, merchant.scope, retried.intent.id)).status;
  };
  await expect.poll(statusOfRetried).toBe("succeeded");
  expect((await getIntent(PAYOUTS, merchant.scope, reused.intent.id)).status).toBe("processing");
  await query("UPDATE payout_intent SET due_at = now() - interval '1 second' WHERE id = $1", reused.intent.id);
  await work();
  expect((await getIntent(PAYOUTS, merchant.scope, reused.intent.id)).status).toBe("processing");
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
