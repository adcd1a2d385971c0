// A cell with a replica: what a move waits for, and a failover to a replica that lacks the departure. The first cell is a server of
// its own. The owner of the tables is a plain role in the other tests; here it is the superuser that creates the replica.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type PostgresServer, type Replica, startPostgres } from "@/e2e/support/postgres/server";
import { freePort } from "@/e2e/support/service";
import { runCommand } from "@/server/cli/testing/run-command";
import { claimCell } from "@/server/db/cell-identity";
import { disconnect, whilePreparing } from "@/server/db/client";
import { noteDatabaseIdentity } from "@/server/db/dispatch-pauses";
import { migrate } from "@/server/db/migrate";
import { asOwnerOf } from "@/server/db/testing/move-by-hand";
import { configureCells, openTwoCells, SECOND_CELL, type TwoCells } from "@/server/db/testing/second-cell";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { settleStays, settleStaysAtStart } from "../cells/settle-stays";
import { fenceIn, rowsOf } from "./testing/rows";

// Bounds for what hangs: two cores may be shared.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let folder: string;
let server: PostgresServer;
let replica: Replica;
let cells: TwoCells;
let given: string;
let merchantId: string;
let said: string[];

const main = () => allCells()[0];
const eu2 = () => allCells()[1] as Cell;

async function on(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Points the first cell to a server. */
async function useServer(url: string): Promise<void> {
  await disconnect();
  process.env.DATABASE_URL = url;
  configureCells([{ ...SECOND_CELL, url: eu2().databaseUrl }]);
}

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError((line) => said.push(line));
  said = [];
  folder = await mkdtemp(join(tmpdir(), "sluice-standbys-"));
  given = process.env.DATABASE_URL ?? "";
  const [port, replicaPort] = [await freePort(), await freePort()];
  [server, cells] = [await startPostgres(folder, port, {}, ["fsync=off"]), await openTwoCells()];
  await migrate(server.url);
  await useServer(server.url);
  const [{ cells_id }] = (await on(eu2().databaseUrl ?? "", "SELECT cells_id FROM installation")) as [
    { cells_id: string },
  ];
  await inCell(main(), () => whilePreparing(() => claimCell(cells_id)));
  await inEachCell(noteDatabaseIdentity);
  await disconnect();
  replica = await server.replicate(replicaPort);
});
beforeEach(async () => {
  said = [];
  ({ merchantId } = await inCell(main(), makeLiveMerchant));
});
afterAll(async () => {
  await disconnect();
  process.env.DATABASE_URL = given;
  await cells.end();
  await replica.stop().catch(() => undefined);
  await server.stop("immediate").catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
});

const move = (to: Cell) => runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");
const heard = () => said.join("");
const fences = async () => [await fenceIn(main(), merchantId), await fenceIn(eu2(), merchantId)];

describe("a replica that follows", () => {
  it("has stored that the merchant has left before it opens in the new cell", async () => {
    expect(await move(eu2())).toMatchObject({ phase: "done" });
    expect(heard()).not.toContain("replicas of");
    await replica.caughtUp();
    const [fence] = await on(replica.url, `SELECT state FROM merchant_fence WHERE merchant = '${merchantId}'`);
    expect(fence).toEqual({ state: "left" });
  });
});

describe("a replica that hangs", () => {
  let receiver: number;
  beforeEach(async () => {
    const [row] = await on(replica.url, "SELECT pid FROM pg_stat_wal_receiver");
    receiver = Number(row?.["pid"]);
    if (!receiver) throw new Error("the replica follows nothing");
    process.kill(receiver, "SIGSTOP");
  });
  afterEach(() => process.kill(receiver, "SIGCONT"));

  it("is named to the operator, and does not keep the merchant closed", async () => {
    const done = await move(eu2());
    expect(done).toMatchObject({ phase: "done" });
    expect(heard()).toMatch(/replicas of main are far behind and are not waited for: .+ \(\d+\)/);
    expect(done["paused_ms"]).toBeLessThan(2_000);
  });

  it("keeps the rows of the old cell until it has the copy", async () => {
    process.kill(receiver, "SIGCONT");
    expect(await move(eu2())).toMatchObject({ phase: "done" });
    await replica.caughtUp();
    process.kill(receiver, "SIGSTOP");
    const back = move(main());
    await vi.waitFor(() => expect(heard()).toContain("the merchant is open in main"), 120_000);
    expect((await rowsOf(eu2(), merchantId))["merchant"]).toHaveLength(1);
    process.kill(receiver, "SIGCONT");
    expect(await back).toMatchObject({ phase: "done" });
    expect(await rowsOf(eu2(), merchantId)).toEqual({});
  });
});

// The last one: the replica takes the server's place.
describe("a failover to a replica that lacks the departure", () => {
  it("is closed for the merchant, and sends no payout", async () => {
    await replica.caughtUp();
    await replica.stopFollowing();
    expect(await move(eu2())).toMatchObject({ phase: "done" });
    await server.killAll();
    await replica.promote();
    await useServer(replica.url);
    await vi.waitFor(() => asOwnerOf(main(), (client) => client.query("CREATE TEMP TABLE writable ()")), 60_000);
    expect(await fences()).toEqual([null, null]);
    const sql = "SELECT database_identity <> current_database_identity() AS paused FROM installation";
    expect(await on(replica.url, sql)).toEqual([{ paused: true }]);
    await inCell(main(), settleStays);
    expect(await fences()).toEqual(["left eu2", null]);
    await settleStaysAtStart();
    expect(await fences()).toEqual(["left eu2", null]);
  });
});
