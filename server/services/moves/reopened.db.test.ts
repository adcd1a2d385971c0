// What docs/operating.md opens again in the old cell may have payouts that the lost cell has sent.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakePsp, startFakePsp } from "@/e2e/support/fake-psp/start";
import { noteDatabaseIdentity } from "@/server/db/dispatch-pauses";
import { inCell, inEachCell } from "@/server/platform/cell";
import { configureGateways } from "@/server/psp/registry";
import { makeLiveMerchant, payout } from "@/server/testing/merchant";
import { settleStays } from "../cells/settle-stays";
import { claimLeaseMs, finishDueIntents, workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { createPayoutIntent } from "../payouts/create";
import { fenceIn } from "./testing/rows";
import { eu2, killedAt, main, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
let psp: FakePsp;
beforeAll(async () => {
  psp = await startFakePsp();
  configureGateways(JSON.stringify([psp.config()]));
});
afterAll(async () => {
  configureGateways(null);
  await psp.stop();
});

it("a payout waits, as after every restore, until the operator has reconciled and resumed", async () => {
  await inEachCell(noteDatabaseIdentity);
  const merchant = await inCell(main(), makeLiveMerchant);
  const { merchantId } = merchant;
  const { intent } = await inCell(main(), () =>
    createPayoutIntent(merchant.context, payout({ amount: "1050" }), withoutIdempotency()),
  );
  const before = await cells.backUp(eu2());
  await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
  const work = () => workOnDueIntents("payout_intent", 50, claimLeaseMs());
  await inCell(eu2(), async () => {
    await work();
    await finishDueIntents();
  });
  const creations = async () => (await psp.calls()).filter(({ idempotency_key: key }) => key === intent.id).length;
  expect(await creations()).toBe(1);
  expect(await psp.record({ event: "executed", reference: intent.id })).toHaveLength(1);
  await cells.pointTo([null, before]);
  for (let round = 0; round < 3; round += 1) await inEachCell(settleStays);
  const paused = "SELECT database_identity <> current_database_identity() AS paused FROM installation";
  expect([await sql(main(), paused), await sql(eu2(), paused)]).toEqual([[{ paused: false }], [{ paused: true }]]);
  const text = await readFile("docs/operating.md", "utf8");
  const block = /A merchant is in no cell[\s\S]*?```sql\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  await sql(main(), block.replaceAll("mer_…", merchantId));
  expect(await fenceIn(main(), merchantId)).toBeNull();
  // The next step is to reconcile. Workers do not wait for it.
  await inCell(main(), async () => {
    await work();
    await finishDueIntents();
  });
  expect(await creations()).toBe(1);
});
