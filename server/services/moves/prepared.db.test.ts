// A prepared transaction has no session, and may be committed at any time. A server that TEST_DATABASE_URL names may allow none.
import { Client } from "pg";
import { expect, inject, it } from "vitest";
import { addressOf } from "@/server/testing/databases";
import { holdMover } from "./testing/killed-mover";
import { eu2, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

const server = new Client({ connectionString: addressOf(inject("databaseTemplate"), "postgres") });
await server.connect();
const { rows } = await server.query<{ n: number }>("SELECT current_setting('max_prepared_transactions')::int AS n");
await server.end();

const cells = threeCells();

it.runIf((rows[0]?.n ?? 0) > 0)("what a prepared transaction writes in the old cell is waited for", async () => {
  const merchantId = await makeOne();
  const name = `of_${merchantId}`;
  const committed: Promise<unknown>[] = [];
  cells.onLine = (line) => {
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
