// A prepared transaction has no session, and may be committed at any time. A server that TEST_DATABASE_URL names may allow none.
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from "vitest";
import { reachEveryMerchant } from "@/server/platform/reach";
import { catchStandardError } from "@/server/testing/standard-error";
import { holdMover } from "./testing/killed-mover";
import { eu2, main, makeOne, move, openThreeCells, sql, type ThreeCells } from "./testing/three-cells";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const server = new Client({ connectionString: inject("databaseTemplate").replace(/\/[^/]*$/, "/postgres") });
await server.connect();
const { rows } = await server.query<{ n: number }>("SELECT current_setting('max_prepared_transactions')::int AS n");
await server.end();

let cells: ThreeCells;
let atLine: (line: string) => unknown = () => undefined;
beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError((line) => atLine(line));
  cells = await openThreeCells();
});
afterEach(() => cells.pointTo());
afterAll(() => cells.end());

it.runIf((rows[0]?.n ?? 0) > 0)("what a prepared transaction writes in the old cell is waited for", async () => {
  const merchantId = await makeOne();
  const name = `of_${merchantId}`;
  const committed: Promise<unknown>[] = [];
  atLine = (line) => {
    if (line.includes(`The prepared transaction ${name} did not end`) && committed.length === 0)
      committed.push(sql(main(), `COMMIT PREPARED '${name}'`));
  };
  const mover = holdMover(/^INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/);
  const moving = move(merchantId, eu2());
  try {
    await mover.held;
    const write = `INSERT INTO merchant_currency VALUES ('${merchantId}', 'USD')`;
    await sql(main(), `BEGIN; ${write}; PREPARE TRANSACTION '${name}'`);
  } finally {
    mover.goOn();
  }
  expect(await moving).toMatchObject({ phase: "done" });
  mover.restore();
  expect(committed).toHaveLength(1);
  const find = "SELECT currency FROM merchant_currency WHERE merchant_id = $1 AND currency = 'USD'";
  expect(await sql(eu2(), find, merchantId)).toEqual([{ currency: "USD" }]);
});
