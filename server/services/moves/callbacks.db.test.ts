// Callbacks of a merchant that moves, or has moved, to another cell.
import { describe, expect, it } from "vitest";
import { claimDueCallbacksAcrossMerchants } from "@/server/db/callbacks";
import { fence, moveByHand, unfence } from "@/server/db/testing/move-by-hand";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { makeMerchant } from "@/server/testing/merchant";
import { callbackDigest } from "../callbacks/digest";
import { handOver } from "../callbacks/hand-over";
import { readCallback } from "../callbacks/try";
import { listFences } from "../cells/moved";
import { settleStays } from "../cells/settle-stays";
import { configureAcme, makeReportedPayment, passTenSeconds } from "./testing/reported-payment";
import { fenceIn } from "./testing/rows";
import { eu2, eu3, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
configureAcme();

describe("a callback that names its reference alone", () => {
  it("is tried after an hour, so that an operator sees it, if a cell is still unknown", async () => {
    const { merchantId } = await inCell(main(), () => makeMerchant());
    await fence(main(), merchantId, "left", { ...eu2(), name: "eu9" });
    const reference = newId("paymentIntent");
    const handed = (ageMs: number) =>
      inCell(main(), async () => {
        const key = { provider: "acme", callbackId: newId("event"), body: "{}" };
        const received = { ...key, receivedAt: new Date(Date.now() - ageMs) };
        const row = { attempts: 1, result: null, finishedAt: null, dueAt: null };
        const callback = { ...received, ...row, digest: callbackDigest(received) };
        const reading = { kind: "hint", merchantId: null, reference } as const;
        return handOver(callback, reading as never, await listFences());
      });
    const both = [await handed(60_000), await handed(86_400_000)];
    await fence(main(), merchantId, "arriving", eu2());
    await unfence(main(), merchantId);
    expect(both).toEqual([true, false]);
  });

  it("waits while its merchant closes in another cell than the one that it came to", async () => {
    const { merchantId, callbackId, send } = await makeReportedPayment();
    await send();
    await moveByHand(main(), eu2(), merchantId);
    await fence(eu2(), merchantId, "closing", eu3());
    await fence(eu3(), merchantId, "arriving", eu2());
    const [callback] = (await inCell(main(), () => claimDueCallbacksAcrossMerchants(1_000, 30_000))).filter(
      (one) => one.callbackId === callbackId,
    );
    if (!callback) throw new Error("the callback was not claimed");
    const handed = await inCell(main(), async () => {
      const reading = { ...(await readCallback(callback)), merchantId: null };
      return handOver(callback, reading, await listFences());
    });
    await unfence(eu3(), merchantId);
    await unfence(eu2(), merchantId);
    expect(handed).toBe(true);
  });
});

describe("a callback that its provider repeats", () => {
  it("is applied after a restore of the new cell", async () => {
    const { merchantId, send, statusIn, succeedsIn } = await makeReportedPayment();
    await moveByHand(main(), eu2(), merchantId);
    const earlier = await cells.backUp(eu2());
    await send();
    await succeedsIn(eu2());
    await cells.pointTo([null, earlier]);
    passTenSeconds();
    expect(await statusIn(eu2())).toBe("processing");
    await send();
    await succeedsIn(eu2());
  });

  it("is applied although the old cell, which was restored, has applied it until it was closed", async () => {
    const { merchantId, send, succeedsIn } = await makeReportedPayment();
    const earlier = await cells.backUp(main());
    await moveByHand(main(), eu2(), merchantId);
    await sql(eu2(), "INSERT INTO merchant_stay (merchant, number, from_cell) VALUES ($1, 1, 'main')", merchantId);
    await cells.pointTo([earlier]);
    await send();
    await succeedsIn(main());
    await inEachCell(settleStays);
    expect(await fenceIn(main(), merchantId)).toBe("left eu2");
    passTenSeconds();
    await send();
    await succeedsIn(eu2());
  });
});

it("a callback that waits for an operator is kept if its id has another body in the new cell", async () => {
  const merchantId = await makeOne();
  const id = newId("event");
  const store = (cell: Cell, body: string, result: string) =>
    sql(
      cell,
      `INSERT INTO provider_callback (provider, callback_id, body, received_at, digest, attempts, result, applied_at, due_at)
       VALUES ('acme', $1, $2, now(), NULL, 16, $3, now(), NULL)`,
      id,
      body,
      result,
    );
  await store(main(), "ours", "failing");
  await store(eu2(), "another", "applied");
  await sql(
    main(),
    `INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
     VALUES ($1, $2, 'live', 'unapplied_callback', $3, $4, jsonb_build_object('callback', $3::text), now())`,
    merchantId,
    newId("exception"),
    `acme/${id}`,
    `callback:acme/${id}`,
  );
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const find =
    "SELECT result FROM provider_callback WHERE callback_id LIKE $1 || '%' AND body = 'ours' AND result <> 'handed_over'";
  const found = [...(await sql(main(), find, id)), ...(await sql(eu2(), find, id))];
  expect(found).toEqual([{ result: "failing" }]);
});
