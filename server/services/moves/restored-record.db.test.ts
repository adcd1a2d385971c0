// What a restored cell and an open record of a move may do to the only rows of a merchant.
import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { allCells, type Cell, inEachCell } from "@/server/platform/cell";
import { settleStays } from "../cells/settle-stays";
import { settleAbandonedMoves } from "./abandoned";
import { holdMover } from "./testing/killed-mover";
import { fenceIn, rowsOf } from "./testing/rows";
import { abort, eu2, eu3, killedAt, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

const COUNTING = /count\(\*\)::int AS count FROM api_key/;
const CLOSING = /^INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/;
const LEFT = /SET state = 'left', stay/;
const OPENED = /UPDATE merchant_move SET paused_ms/;

const fencesOf = (merchantId: string) => Promise.all(allCells().map((cell) => fenceIn(cell, merchantId)));
const COMMANDS = [
  ["a move", (merchantId: string, to: Cell) => move(merchantId, to)],
  ["an abort", (merchantId: string) => abort(merchantId)],
] as const;

describe.each(COMMANDS)("%s with the record of an earlier move", (_, run) => {
  it("keeps the word by which a merchant opens that has just come back", async () => {
    const merchantId = await makeOne(eu2());
    await killedAt(COUNTING, merchantId, eu3());
    const earlier = await cells.backUp(main());
    expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
    await killedAt(LEFT, merchantId, eu2());
    expect(await fencesOf(merchantId)).toEqual([null, "ready eu3", "left eu2"]);
    await cells.pointTo([earlier]);
    const answer = await run(merchantId, eu3());
    expect(answer).toMatchObject({ code: "validation_failed" });
    for (let round = 0; round < 2; round += 1) {
      await inEachCell(settleStays);
      await inEachCell(settleAbandonedMoves);
    }
    expect(await fencesOf(merchantId)).toEqual([null, null, "left eu2"]);
  });

  it("does not touch what a merchant has left behind for a cell that was restored to before", async () => {
    const merchantId = await makeOne();
    await killedAt(COUNTING, merchantId, eu2());
    const earlier = await cells.backUp(main());
    expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
    await sql(eu2(), "UPDATE merchant SET name = 'Went on' WHERE id = $1", merchantId);
    await killedAt(OPENED, merchantId, main());
    await cells.pointTo([earlier]);
    for (let round = 0; round < 2; round += 1) await inEachCell(settleStays);
    const before = await rowsOf(eu2(), merchantId);
    expect(before["merchant"]?.[0]).toContain("Went on");
    const answer = await run(merchantId, eu2());
    expect(answer).toMatchObject({ code: "validation_failed" });
    expect(await rowsOf(eu2(), merchantId)).toEqual(before);
  });
});

it("a new move does not replace what a merchant has left behind for a cell that was restored to before", async () => {
  const merchantId = await makeOne();
  const earlier = await cells.backUp(main());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await sql(eu2(), "UPDATE merchant SET name = 'Went on' WHERE id = $1", merchantId);
  await killedAt(OPENED, merchantId, main());
  await cells.pointTo([earlier]);
  for (let round = 0; round < 2; round += 1) await inEachCell(settleStays);
  const before = await rowsOf(eu2(), merchantId);
  const answer = await move(merchantId, eu2());
  expect(answer).toMatchObject({ code: "validation_failed" });
  expect(await rowsOf(eu2(), merchantId)).toEqual(before);
});

it("what docs/operating.md says about an earlier stay makes it the newest one, which moves", async () => {
  const text = await readFile("docs/operating.md", "utf8");
  const [statement = ""] =
    /INSERT INTO merchant_stay AS s \(merchant, number, from_cell\)\nVALUES[\s\S]*?;\n/.exec(text) ?? [];
  const merchantId = await makeOne();
  const earlier = await cells.backUp(main());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await killedAt(OPENED, merchantId, main());
  await cells.pointTo([earlier]);
  for (let round = 0; round < 2; round += 1) await inEachCell(settleStays);
  const isLost = async () =>
    (await sql(eu2(), "SELECT FROM merchant_fence WHERE merchant = $1 AND lost_since IS NOT NULL", merchantId)).length;
  expect(await isLost()).toBe(1);
  await sql(main(), statement.replace("mer_…", merchantId));
  await inEachCell(settleStays);
  expect(await isLost()).toBe(0);
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
});

it.each(COMMANDS)("%s keeps a copy if the old cell was restored to a time without the merchant", async (_, run) => {
  const before = await cells.backUp(eu2());
  const merchantId = await makeOne(eu2());
  await killedAt(CLOSING, merchantId, eu3());
  const copy = await rowsOf(eu3(), merchantId);
  expect(copy["merchant"]).toHaveLength(1);
  await cells.pointTo([null, before]);
  const answer = await run(merchantId, eu3());
  expect(answer).toMatchObject({ code: "validation_failed" });
  expect(await rowsOf(eu3(), merchantId)).toEqual(copy);
});

it.each([
  ["closing", CLOSING],
  ["leaving", /SET state = 'ready', since/],
] as const)(
  "a command that goes on with a move that was killed while %s opens the merchant at once",
  async (state, at) => {
    const merchantId = await makeOne();
    await killedAt(at, merchantId, eu2());
    expect(await fenceIn(main(), merchantId)).toBe(`${state} eu2`);
    const mover = holdMover(/^SELECT jsonb_build_object.* AS key, md5/);
    const moving = move(merchantId, eu2());
    try {
      await Promise.race([mover.held, moving]);
      expect(await fenceIn(main(), merchantId)).toBeNull();
    } finally {
      mover.goOn();
      mover.restore();
      expect(await moving).toMatchObject({ phase: "done" });
    }
  },
);

describe("a record that has fallen back, as after a failover of the first cell,", () => {
  const NOTED = /WHERE merchant = \$1 GROUP BY table_name/;

  it.each([
    ["following", NOTED],
    ["comparing", COUNTING],
  ] as const)("to %s takes no rows from a merchant that has moved", async (phase, statement) => {
    const merchantId = await makeOne(eu2());
    await killedAt(statement, merchantId, eu3());
    const record = "SELECT phase FROM merchant_move WHERE merchant = $1";
    expect(await sql(main(), record, merchantId)).toEqual([{ phase }]);
    const earlier = await cells.backUp(main());
    expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
    const before = await rowsOf(eu3(), merchantId);
    await cells.pointTo([earlier]);
    expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
    const { audit_entry: _entries, audit_pending: _pending, ...rows } = before;
    expect(await rowsOf(eu3(), merchantId)).toMatchObject(rows);
  });

  it("leaves the way from a cell to which the merchant has moved since, if it is aborted after a return", async () => {
    const merchantId = await makeOne(eu2());
    await killedAt(COUNTING, merchantId, eu3());
    const earlier = await cells.backUp(main());
    for (const to of [eu3(), eu2()]) expect(await move(merchantId, to)).toMatchObject({ phase: "done" });
    await cells.pointTo([earlier]);
    await killedAt(/^INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/, merchantId, eu3());
    expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
    expect([await fenceIn(eu2(), merchantId), await fenceIn(eu3(), merchantId)]).toEqual([null, "left eu2"]);
  });

  it("does not undo what a merchant that has left has done in the new cell", async () => {
    const merchantId = await makeOne(eu2());
    await killedAt(COUNTING, merchantId, eu3());
    const earlier = await cells.backUp(main());
    await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu3());
    await sql(eu3(), "UPDATE merchant SET name = 'Went on' WHERE id = $1", merchantId);
    await cells.pointTo([earlier]);
    expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
    const rows = await sql(eu3(), "SELECT name FROM merchant WHERE id = $1", merchantId);
    expect(rows).toEqual([{ name: "Went on" }]);
  });
});

it("a move that was aborted does not go on by a restored record, without noting changes", async () => {
  const merchantId = await makeOne(eu2());
  await killedAt(/^INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/, merchantId, eu3());
  await inEachCell(settleAbandonedMoves);
  const earlier = await cells.backUp(main());
  const dump = new Client({ connectionString: cells.own[1] });
  await dump.connect();
  // As a backup, which keeps the triggers of the move from being removed.
  await dump.query("BEGIN; SELECT count(*) FROM merchant");
  const mover = holdMover(/^INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/);
  try {
    expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
    await cells.pointTo([earlier]);
    const moving = move(merchantId, eu3());
    await Promise.race([mover.held, moving]);
    await sql(eu2(), "UPDATE merchant SET name = 'Changed' WHERE id = $1", merchantId);
    await dump.query("ROLLBACK");
    mover.goOn();
    expect(await moving).toMatchObject({ message: expect.stringContaining("has ended in eu2") as string });
  } finally {
    mover.goOn();
    mover.restore();
    await dump.end();
  }
  expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
  expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
  const rows = await sql(eu3(), "SELECT name FROM merchant WHERE id = $1", merchantId);
  expect(rows).toEqual([{ name: "Changed" }]);
});

describe("a record that a failover has brought back, and whose merchant went to a third cell,", () => {
  it("is ended by --abort before the merchant had switched; its copy goes", async () => {
    const merchantId = await makeOne(eu2());
    await killedAt(COUNTING, merchantId, main());
    const earlier = await cells.backUp(main());
    expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
    expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
    const before = await rowsOf(eu3(), merchantId);
    await cells.pointTo([earlier]);
    const answer = await move(merchantId, main());
    expect(answer["message"]).toContain("--abort");
    expect(await abort(merchantId)).toMatchObject({ phase: "aborted", cell: "eu3" });
    await expectOnlyIn(eu3(), merchantId, before);
    expect(await fencesOf(merchantId)).toEqual([null, "left eu3", null]);
    expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  });

  it("is ended by --abort after the merchant had switched; what it left behind goes", async () => {
    const merchantId = await makeOne(eu2());
    await killedAt(OPENED, merchantId, main());
    const earlier = await cells.backUp(main());
    expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
    expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
    const before = await rowsOf(eu3(), merchantId);
    await cells.pointTo([earlier]);
    await inEachCell(settleStays);
    const dropped = await runCommand("merchants", "drop-copy", "--merchant", merchantId, "--from", "main");
    expect(dropped).toMatchObject({ cell: "eu3" });
    const [inMain, inEu2, inEu3] = await fencesOf(merchantId);
    expect([inMain, inEu3]).toEqual(["left eu3", null]);
    // By way of main if its round was over first: names then lead from there to eu3.
    expect(["left eu3", "left main"]).toContain(inEu2);
    expect(await abort(merchantId)).toMatchObject({ cell: "eu3" });
    await expectOnlyIn(eu3(), merchantId, before);
    const phase = "SELECT phase FROM merchant_move WHERE merchant = $1";
    expect(await sql(main(), phase, merchantId)).toEqual([{ phase: "done" }]);
    expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  });
});

/** Expects that this cell alone has rows of the merchant, those from before. The abort adds to the audit log, which is left out. */
async function expectOnlyIn(home: Cell, merchantId: string, before: Awaited<ReturnType<typeof rowsOf>>): Promise<void> {
  const { audit_entry: _entries, audit_pending: _pending, ...rows } = before;
  expect(await rowsOf(home, merchantId)).toMatchObject(rows);
  for (const cell of allCells().filter((one) => one.name !== home.name))
    expect({ [cell.name]: await rowsOf(cell, merchantId) }).toEqual({ [cell.name]: {} });
}
