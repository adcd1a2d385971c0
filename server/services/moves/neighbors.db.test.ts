// A move locks tables of which others work: nobody waits behind it for a transaction that does not end.
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect } from "@/server/db/client";
import { openOwner } from "@/server/db/moves/owner";
import { readMovedTables } from "@/server/db/moves/shape";
import { asOwnerOf } from "@/server/db/testing/move-by-hand";
import { openPlainCells, type PlainCells } from "@/server/db/testing/plain-owners";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { removeLeftTriggers } from "./leftovers";
import { tracesIn } from "./testing/rows";

vi.setConfig({ testTimeout: 300_000 });

/** Lets the mover try for many times. */
const LOOKS = 300;
const LOOK_PAUSE_MS = 10;

let cells: PlainCells;
let first: Cell;
let second: Cell;
let merchantId: string;
let said: string[];
let sessions: Client[];

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError((line) => said.push(line));
  cells = await openPlainCells();
  ({ first, second } = cells);
});
beforeEach(async () => {
  said = [];
  sessions = [];
  ({ merchantId } = await inCell(first, makeLiveMerchant));
});
afterEach(() => Promise.all(sessions.map((session) => session.end())));
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const move = (to: Cell) => runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");

/** A session in the first cell. */
async function connect(name: string): Promise<Client> {
  const client = new Client({ connectionString: first.databaseUrl ?? "", application_name: name });
  await client.connect();
  sessions.push(client);
  return client;
}

/** How many of the looks found the table's lock of that mode not free at once: somebody waits for another one in front of it. */
async function countWaits(table: string, mode: string, isOver: () => boolean): Promise<number> {
  const neighbor = await connect("psql");
  let waits = 0;
  for (let looks = 0; looks < LOOKS && !isOver(); looks += 1) {
    await neighbor
      .query(`BEGIN; LOCK TABLE ${table} IN ${mode} MODE NOWAIT; COMMIT`)
      .catch((error: { code?: string }) => {
        if (error.code !== "55P03") throw error;
        waits += 1;
      });
    await neighbor.query("ROLLBACK");
    await sleep(LOOK_PAUSE_MS);
  }
  return waits;
}

describe("a transaction that has written a table and does not end", () => {
  it("keeps nobody else from writing while the move waits for it", async () => {
    const writer = await connect("psql");
    await writer.query("BEGIN; LOCK TABLE api_key IN ROW EXCLUSIVE MODE");
    let isDone = false;
    const moving = move(second).finally(() => {
      isDone = true;
    });
    expect(await countWaits("api_key", "ROW EXCLUSIVE", () => isDone)).toBe(0);
    expect(isDone).toBe(false);
    await writer.query("COMMIT");
    expect(await moving).toMatchObject({ phase: "done" });
  });
});

describe("a backup that reads every table for hours", () => {
  it("keeps no move waiting, nobody waits behind it, and the triggers that stay do nothing and go later", async () => {
    const owner = await openOwner(first);
    const tables = (await readMovedTables(owner)).map(({ name }) => name);
    await owner.end();
    const backup = await connect("pg_dump");
    await backup.query(`BEGIN; LOCK TABLE ${tables.join(", ")} IN ACCESS SHARE MODE`);
    let isDone = false;
    const moving = move(second).finally(() => {
      isDone = true;
    });
    expect(await countWaits("payment_intent", "ACCESS SHARE", () => isDone)).toBe(0);
    expect(await moving).toMatchObject({ phase: "done" });
    expect(said.join("")).toContain(
      `${tables.length} tables of main are in use; a worker removes the move's triggers there later`,
    );
    expect((await tracesIn(first)).filter((name) => name.startsWith("note_"))).toHaveLength(3 * tables.length);

    // The merchant comes back and works, and moves again, while the backup still runs.
    expect(await move(first)).toMatchObject({ phase: "done" });
    await asOwnerOf(first, (client) =>
      client.query("UPDATE merchant SET name = name || '!' WHERE id = $1", [merchantId]),
    );
    const ofMoves = (await tracesIn(first)).filter((name) => !/^(note|refuse)_/.test(name));
    expect(ofMoves).toEqual(Array(2).fill(`triggers of ${merchantId}`));
    await inCell(first, removeLeftTriggers);
    expect((await tracesIn(first)).length).toBeGreaterThan(0);
    expect(await move(second)).toMatchObject({ phase: "done" });

    await backup.query("COMMIT");
    await inCell(first, removeLeftTriggers);
    expect(await tracesIn(first)).toEqual([]);
  });
});
