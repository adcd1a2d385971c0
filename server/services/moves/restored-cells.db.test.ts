// Cells that were restored to before, into or after a move, and what docs/operating.md says about them.
import { readFile } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect } from "@/server/db/client";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { allCells, inCell, inEachCell } from "@/server/platform/cell";
import { createApiKey } from "../api-keys/create";
import { settleStays } from "../cells/settle-stays";
import { operatorContext } from "../merchants/operator";
import { fenceIn, rowsOf, tracesIn } from "./testing/rows";
import { abort, eu2, eu3, killedAt, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

it("drop-copy leaves nothing of the move in the new cell, whose logs would never lose anything again", async () => {
  const merchantId = await makeOne(eu2());
  const earlier = await cells.backUp(eu2());
  await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu3());
  await cells.pointTo([null, earlier]);
  await inEachCell(settleStays);
  expect(await fenceIn(eu2(), merchantId)).toBe("left eu3");
  const dropped = await runCommand("merchants", "drop-copy", "--merchant", merchantId, "--from", "eu2");
  expect(dropped).not.toHaveProperty("code");
  expect([await tracesIn(eu2()), await tracesIn(eu3())]).toEqual([[], []]);
});

it("what docs/operating.md says cleans a cell that was restored to the middle of an arrival", async () => {
  const merchantId = await makeOne();
  await killedAt(/count\(\*\)::int AS count FROM api_key/, merchantId, eu2());
  const middle = await cells.backUp(eu2());
  expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
  await cells.pointTo([null, middle]);
  const noting = async () =>
    (await sql(eu2(), "SELECT FROM merchant_move_noting WHERE merchant = $1 AND ended_at IS NULL", merchantId)).length;
  expect([await fenceIn(eu2(), merchantId), await noting()]).toEqual(["arriving main", 1]);
  await killedAt(/INSERT INTO merchant_fence AS f/, merchantId, eu2());
  expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
  expect([await fenceIn(eu2(), merchantId), await noting()]).toEqual([null, 0]);
  expect(await rowsOf(eu2(), merchantId)).toEqual({});
});

it("what docs/operating.md says lists the acts in the older of two copies, which do not come along", async () => {
  const merchantId = await makeOne();
  const key = await inCell(main(), () => createApiKey(operatorContext(merchantId, "test"), "Key"));
  const earlier = await cells.backUp(main());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await cells.pointTo([earlier]);
  await runCommand("keys", "revoke", "--public-key", key.publicKey);
  await runCommand("merchants", "suspend", "--merchant", merchantId, "--reason", "Suspected fraud");
  await inEachCell(settleStays);
  expect(await fenceIn(main(), merchantId)).toBe("left eu2");
  const acts = "SELECT revoked_at, suspended_at FROM merchant m JOIN api_key k ON k.merchant_id = m.id WHERE k.id = $1";
  expect(await sql(eu2(), acts, key.id)).toEqual([{ revoked_at: null, suspended_at: null }]);

  const text = await readFile("docs/operating.md", "utf8");
  const [newer] = await sql(eu2(), "SELECT since::text FROM merchant_stay WHERE merchant = $1", merchantId);
  const select = /SELECT[^;`]*FROM audit_entry[^;`]*;/.exec(text)?.[0] ?? "";
  const statement = select
    .replace("mer_…", merchantId)
    .replace(/'\d{4}-\d\d-\d\d [\d:+]+'/, `'${String(newer?.["since"])}'`);
  const listed = (await sql(main(), statement)).map(({ action }) => action);
  expect(listed).toEqual(["api_key.revoke", "merchant.suspend"]);
});

describe("what docs/operating.md says about a merchant in no cell", () => {
  /** The statements for opening it in the old cell again. */
  async function statements(merchantId: string): Promise<string> {
    const text = await readFile("docs/operating.md", "utf8");
    const block = /A merchant is in no cell[\s\S]*?```sql\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
    expect(block).toContain("DELETE FROM merchant_fence");
    return block.replaceAll("mer_…", merchantId);
  }
  it("leaves no noting behind, for which the logs of all merchants would grow", async () => {
    const merchantId = await makeOne();
    const before = await cells.backUp(eu2());
    await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
    await cells.pointTo([null, before]);
    await sql(main(), await statements(merchantId));
    const open = "SELECT merchant FROM merchant_move_noting WHERE merchant = $1 AND ended_at IS NULL";
    expect(await sql(main(), open, merchantId)).toEqual([]);
  });

  it("makes the old cell the newer one, so that a later restore of the other does not close it", async () => {
    const merchantId = await makeOne();
    const before = await cells.backUp(eu2());
    await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
    const later = await cells.backUp(eu2());
    await cells.pointTo([null, before]);
    await sql(main(), await statements(merchantId));
    await sql(main(), "UPDATE merchant SET name = 'Went on' WHERE id = $1", merchantId);
    // Somebody has found a later backup.
    await cells.pointTo([null, later]);
    await inEachCell(settleStays);
    const fences = [await fenceIn(main(), merchantId), await fenceIn(eu2(), merchantId)];
    expect(fences).toEqual([null, "left main"]);
  });
});

it("a merchant opens in its new cell although a third one was restored to an earlier stay", async () => {
  const merchantId = await makeOne();
  const earlier = await cells.backUp(main());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await killedAt(/SET state = 'left', stay/, merchantId, eu3());
  await cells.pointTo([earlier]);
  await vi.waitFor(
    async () => {
      await inEachCell(settleStays);
      const fences = await Promise.all(allCells().map((cell) => fenceIn(cell, merchantId)));
      expect(fences).toEqual(["left eu3", "left eu3", null]);
    },
    { timeout: 20_000, interval: 1_000 },
  );
});

// A failover may leave the direct address with the old server, while the other one leads to a pooler of the new one.
it("a merchant is not moved out of a database that is not the one which the service works with", async () => {
  const merchantId = await makeOne(eu2());
  const oldServer = await cells.backUp(eu2());
  // What the merchant does after the failover.
  await sql(eu2(), "UPDATE merchant SET name = 'After the failover' WHERE id = $1", merchantId);
  await disconnect();
  configureCells([
    { ...SECOND_CELL, url: cells.own[1], direct_url: oldServer },
    { name: "eu3", tag: "e3", url: cells.own[2] },
  ]);
  const answer = await move(merchantId, eu3());
  for (let round = 0; round < 2; round += 1) await inEachCell(settleStays);
  await cells.pointTo();
  const open = (await fenceIn(eu2(), merchantId)) === null ? eu2() : eu3();
  const rows = await sql(open, "SELECT name FROM merchant WHERE id = $1", merchantId);
  expect({ cell: open.name, rows, answer }).toMatchObject({ rows: [{ name: "After the failover" }] });
});
