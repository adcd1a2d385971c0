// Who reads no fences: processes of an earlier release, and people who connect as the owner of the tables. Triggers of the move
// refuse what they write in either cell.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect, query } from "@/server/db/client";
import { asOwnerOf } from "@/server/db/testing/move-by-hand";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { holdMover, killMover } from "./testing/killed-mover";
import { rowsOf, tracesIn } from "./testing/rows";

// Bounds for what hangs: two cores may be shared.
vi.setConfig({ testTimeout: 180_000 });

let cells: TwoCells;
let first: Cell;
let second: Cell;
let atLine: (line: string) => unknown = () => undefined;

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError((line) => atLine(line));
  cells = await openTwoCells();
  ({ first, second } = cells);
});
afterEach(() => {
  atLine = () => undefined;
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const move = (merchantId: string) =>
  runCommand("merchants", "move", "--merchant", merchantId, "--to", second.name, "--experimental");
const abort = (merchantId: string) => runCommand("merchants", "move", "--merchant", merchantId, "--abort");
const sql = (cell: Cell, text: string, ...values: unknown[]) =>
  asOwnerOf(cell, async (client) => (await client.query(text, values)).rows as Record<string, unknown>[]);
const makeOne = async (cell: Cell) => (await inCell(cell, makeLiveMerchant)).merchantId;

describe("in the old cell,", () => {
  it("what they write moves until the merchant leaves, and is refused from then on", async () => {
    const merchantId = await makeOne(first);
    const rename = (name: string) =>
      asOwnerOf(first, (client) => client.query("UPDATE merchant SET name = $2 WHERE id = $1", [merchantId, name]));
    const renamed: Promise<unknown>[] = [];
    atLine = (line) => {
      if (line.startsWith("comparing")) renamed.push(rename("Before"));
    };
    const mover = holdMover(/SELECT open_arrival/);
    try {
      const moving = move(merchantId);
      await mover.held;
      await Promise.all(renamed);
      expect(renamed).toHaveLength(1);
      await expect(rename("After")).rejects.toMatchObject({ code: "P0M02" });
      mover.goOn();
      expect(await moving).toMatchObject({ phase: "done" });
    } finally {
      mover.goOn();
      mover.restore();
    }
    expect(await inCell(second, () => query("SELECT name FROM merchant WHERE id = $1", merchantId))).toEqual([
      { name: "Before" },
    ]);
  });

  it("they are refused until the old rows are gone", async () => {
    const merchantId = await makeOne(first);
    let isRemoving = false;
    atLine = (line) => {
      if (line.startsWith("removing")) isRemoving = true;
    };
    const mover = holdMover({
      test: (text: string) => isRemoving && text.startsWith("DELETE FROM merchant t"),
    } as RegExp);
    const moving = move(merchantId);
    try {
      await mover.held;
      const late = sql(first, "UPDATE merchant SET name = 'Late' WHERE id = $1 RETURNING name", merchantId);
      await expect(late).rejects.toMatchObject({ code: "P0M02" });
    } finally {
      mover.goOn();
      expect(await moving).toMatchObject({ phase: "done" });
      mover.restore();
    }
  });
});

describe("in the new cell, before the merchant opens there,", () => {
  const inNewCell = async (merchantId: string, phase: string, ...writes: readonly string[]) => {
    const outcomes: Promise<unknown>[] = [];
    atLine = (line) => {
      if (!line.startsWith(phase)) return;
      const run = (text: string) => sql(second, text, merchantId).catch(({ code }) => code as string);
      for (const text of writes) outcomes.push(run(text));
    };
    expect(await move(merchantId)).toMatchObject({ phase: "done" });
    return Promise.all(outcomes);
  };
  const RENAME = "UPDATE merchant SET name = 'Late' WHERE id = $1 RETURNING name";

  it.each(["following", "comparing", "pausing"])(
    "they change, add and remove nothing while the move is %s",
    async (phase) => {
      const merchantId = await makeOne(first);
      const refused = await inNewCell(
        merchantId,
        phase,
        RENAME,
        `INSERT INTO merchant_currency SELECT (m).* FROM (SELECT jsonb_populate_record(c, '{"currency": "MXN"}') AS m
           FROM merchant_currency c WHERE merchant_id = $1 LIMIT 1) AS one`,
        "DELETE FROM api_key WHERE merchant_id = $1",
      );
      expect(refused).toEqual(["P0M01", "P0M01", "P0M01"]);
      expect(await sql(second, "SELECT name FROM merchant WHERE id = $1", merchantId)).toEqual([
        { name: "Test merchant" },
      ]);
    },
  );

  it("its neighbors write as before, and it does so itself once it is open, while triggers are still there", async () => {
    const neighbor = await makeOne(second);
    const merchantId = await makeOne(first);
    const rename = `UPDATE merchant SET name = 'Late' WHERE id = '${neighbor}' AND $1::text <> id RETURNING name`;
    expect(await inNewCell(merchantId, "pausing", rename)).toEqual([[{ name: "Late" }]]);
    const other = await makeOne(first);
    expect(await inNewCell(other, "removing", RENAME)).toEqual([[{ name: "Late" }]]);
  });

  it("and nothing is left of its triggers in either cell when the move is done or aborted", async () => {
    const [merchantId, aborted] = [await makeOne(first), await makeOne(first)];
    expect(await move(merchantId)).toMatchObject({ phase: "done" });
    const mover = killMover(/INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/, true);
    expect(await move(aborted)).toMatchObject({ code: "service_unavailable" });
    mover.restore();
    expect((await tracesIn(second)).length).toBeGreaterThan(0);
    expect(await abort(aborted)).toMatchObject({ phase: "aborted" });
    expect([await tracesIn(first), await tracesIn(second)]).toEqual([[], []]);
  });

  it("they are refused until the copy of an aborted move is gone", async () => {
    const neighbor = await makeOne(second);
    const merchantId = await makeOne(first);
    const killed = killMover(/^INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/, true);
    expect(await move(merchantId)).toMatchObject({ code: "service_unavailable" });
    killed.restore();
    const mover = holdMover(/^DELETE FROM merchant t/);
    const aborting = abort(merchantId);
    try {
      await mover.held;
      const added = `INSERT INTO api_key SELECT (jsonb_populate_record(k, jsonb_build_object(
          'merchant_id', $2::text, 'id', k.id || 'x', 'public_key', k.public_key || 'x'))).*
        FROM api_key k WHERE merchant_id = $1 LIMIT 1`;
      await expect(sql(second, added, neighbor, merchantId)).rejects.toMatchObject({ code: "P0M01" });
    } finally {
      mover.goOn();
      expect(await aborting).toMatchObject({ phase: "aborted" });
      mover.restore();
    }
    expect(await rowsOf(second, merchantId)).toEqual({});
  });
});
