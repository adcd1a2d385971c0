// The start with two cells, and the worker's loops over both.
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { isDatabaseOutage } from "@/server/db/failures";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { readinessAnswer } from "@/server/http/health";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { ConfigurationError } from "@/server/platform/env";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { workExposition } from "@/server/services/work-metrics";
import { addressOf, createDatabase, dropDatabase, nameOf } from "@/server/testing/databases";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { runWorker } from "@/server/worker/run";
import { prepareCells } from "./database";

const template = inject("databaseTemplate");
const server = addressOf(template, "postgres");
const own = process.env.DATABASE_URL ?? "";
const made: string[] = [];
const ending = new AbortController();

const newName = () => `sluice_test_${randomBytes(6).toString("hex")}`;

async function newDatabase(from: "empty" | "migrated", name = newName()): Promise<string> {
  const url = await createDatabase(server, name, from === "empty" ? "template0" : nameOf(template));
  made.push(url);
  return url;
}

/** Configures two cells; returns the second. */
function configure(url: string, changes: object = {}): Cell {
  configureCells([{ ...SECOND_CELL, url, ...changes }]);
  return allCells()[1] as Cell;
}

const first = () => allCells()[0];
const start = () => prepareCells(ending.signal);
const merchants = "SELECT id FROM merchant";
/** The one database of the file's second cell that is prepared whole. */
const second = await newDatabase("empty");

afterEach(async () => {
  await disconnect();
  process.env.DATABASE_URL = own;
});

afterAll(async () => {
  ending.abort();
  configureCells(null);
  for (const url of made) await dropDatabase(server, url);
});

describe("the start with two cells", () => {
  it("migrates both, makes each what it is, and does so once", async () => {
    const cell = configure(second);
    await start();
    await start();
    const stored = "SELECT cell, cell_tag, cells_id FROM installation";
    const [one] = await inCell(first(), () => query<{ cells_id: string }>(stored));
    const [other] = await inCell(cell, () => query<{ cells_id: string }>(stored));
    expect(one).toEqual({ cell: "main", cell_tag: "", cells_id: expect.any(String) });
    expect(other).toEqual({ cell: "eu2", cell_tag: "e2", cells_id: one?.cells_id });
    for (const each of [first(), cell]) {
      await inCell(each, () => makeMerchant());
      await inCell(each, requireInvariants);
    }
  });

  it("is refused when two addresses lead to one database, or an address to another cell's", async () => {
    configure(`${own}?application_name=other`);
    await expect(start()).rejects.toThrow("CELLS: the url of eu2 leads to the database of the cell main");
    process.env.DATABASE_URL = second;
    configure(own);
    await expect(start()).rejects.toThrow("DATABASE_URL leads to the database of the cell eu2");
    configureCells(null);
    await expect(start()).rejects.toThrow("DATABASE_URL leads to the database of the cell eu2");
    process.env.DATABASE_URL = own;
    configure(second, { name: "eu3" });
    await expect(start()).rejects.toThrow("CELLS: the url of eu3 leads to the database of the cell eu2");
    configure(second, { tag: "e3" });
    await expect(start()).rejects.toThrow("CELLS: the tag of eu2 is e2, and never changes");
  });

  it("is refused with a database that has merchants, or is a cell of another installation", async () => {
    const used = await newDatabase("migrated");
    process.env.DATABASE_URL = used;
    configureCells(null);
    await makeMerchant();
    await disconnect();
    process.env.DATABASE_URL = own;
    configure(used, { name: "eu3", tag: "e3" });
    await expect(start()).rejects.toThrow("a database that has merchants and is no cell");
    process.env.DATABASE_URL = await newDatabase("migrated");
    configure(second);
    await expect(start()).rejects.toThrow("CELLS: the url of eu2 leads to a cell of another installation");
  });

  it("with one cell changes nothing in the database", async () => {
    process.env.DATABASE_URL = await newDatabase("migrated");
    configureCells(null);
    await start();
    expect(await query("SELECT FROM installation WHERE cell IS NOT NULL")).toEqual([]);
  });

  it("serves the first cell without the second, and the second once it is there", async () => {
    const name = newName();
    const late = configure(addressOf(server, name), { name: "eu4", tag: "e4" });
    await start();
    expect(await inCell(first(), () => query(merchants))).not.toEqual([]);
    const lost = await inCell(late, () => query(merchants)).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(Error);
    await newDatabase("empty", name);
    const found = () => inCell(late, () => query(merchants)).catch(() => null);
    await expect.poll(found, { timeout: 55_000, interval: 500 }).toEqual([]);
  });
});

describe("a connection", () => {
  it("is refused by a database that is not prepared, not migrated or another cell's, as by one that is down", async () => {
    const failure = (cell: Cell) => inCell(cell, () => query(merchants)).catch((error: unknown) => error);
    const cases = [
      [await newDatabase("empty"), "is not prepared"],
      [await newDatabase("migrated"), "is not prepared"],
      [`${own}?application_name=other`, "is that of the cell main"],
    ] as const;
    for (const [url, why] of cases) {
      const error = await failure(configure(url));
      expect(String(error)).toContain(why);
      expect(isDatabaseOutage(error)).toBe(true);
      await disconnect();
    }
    const cell = configure(second);
    const forget = "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1";
    const { Client } = await import("pg");
    const owner = new Client({ connectionString: second });
    await owner.connect();
    const { rows } = await owner.query<{ name: string; at: Date }>(
      "SELECT migration_name AS name, finished_at AS at FROM _prisma_migrations ORDER BY 1 DESC LIMIT 1",
    );
    await owner.query(forget, [rows[0]?.name]);
    expect(String(await failure(cell))).toContain("is not migrated");
    await owner.query("UPDATE _prisma_migrations SET finished_at = $2 WHERE migration_name = $1", [
      rows[0]?.name,
      rows[0]?.at,
    ]);
    await owner.end();
    expect(await inCell(cell, () => query(merchants))).toHaveLength(1);
  });
});

async function payIn(cell: Cell): Promise<void> {
  await inCell(cell, async () => {
    const { context } = await makeMerchant();
    await createPaymentIntent(context, payment(), withoutIdempotency());
  });
}

const unlinked = (cell: Cell) => inCell(cell, () => query("SELECT entry_id FROM audit_pending"));

/** Runs the worker until `check` passes. */
async function whileWorking(check: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const worker = runWorker(stop.signal);
  try {
    await check();
  } finally {
    stop.abort();
    await worker;
  }
}

describe("the worker", () => {
  it("does the work of both cells", async () => {
    const cell = configure(second);
    await start();
    await payIn(first());
    await payIn(cell);
    expect(await unlinked(first())).not.toEqual([]);
    expect(await unlinked(cell)).not.toEqual([]);
    await whileWorking(async () => {
      await expect.poll(() => unlinked(first())).toEqual([]);
      await expect.poll(() => unlinked(cell)).toEqual([]);
    });
  });

  it("does the work of the cells that WORKER_CELLS names", async () => {
    vi.stubEnv("WORKER_CELLS", SECOND_CELL.name);
    onTestFinished(() => void vi.unstubAllEnvs());
    const cell = configure(second);
    await start();
    await payIn(first());
    await payIn(cell);
    await whileWorking(() => expect.poll(() => unlinked(cell)).toEqual([]));
    expect(await unlinked(first())).not.toEqual([]);
  });

  it("goes on in one cell while the other is away", async () => {
    const away = new URL(second);
    away.port = "9";
    configure(away.href);
    await payIn(first());
    await whileWorking(() => expect.poll(() => unlinked(first())).toEqual([]));
  });
});

describe("readiness and metrics", () => {
  /** After a change of the addresses. What still reads the former database's clock may open a connection there again. */
  const overNewConnections =
    <Result>(probe: () => Promise<Result>) =>
    async () => {
      await disconnect();
      return probe();
    };
  const bodyOf = async () => JSON.parse((await readinessAnswer("req")).body ?? "") as unknown;

  it("name the cells, and those that are away", async () => {
    configure(second);
    await start();
    await expect.poll(bodyOf).toEqual({ status: "ready" });
    const text = await workExposition();
    expect(text).toContain('sluice_database_up{cell="main"} 1');
    expect(text).toContain('sluice_database_up{cell="eu2"} 1');
    expect(text.match(/# HELP sluice_database_up/g)).toHaveLength(1);
    const away = new URL(second);
    away.port = "9";
    configure(away.href);
    await expect.poll(overNewConnections(bodyOf)).toEqual({ status: "ready", absent_cells: ["eu2"] });
    await expect
      .poll(workExposition, { timeout: 30_000, interval: 1_000 })
      .toContain('sluice_database_up{cell="eu2"} 0');
  });

  it("are 200 while any cell answers: a balancer must not take the others' merchants away with the first cell", async () => {
    const away = new URL(own);
    away.port = "9";
    process.env.DATABASE_URL = away.href;
    configure(second);
    const answered = async () => {
      const { status, body } = await readinessAnswer("req");
      return [status, JSON.parse(body ?? "") as unknown];
    };
    await expect.poll(answered, { timeout: 10_000 }).toEqual([200, { status: "ready", absent_cells: ["main"] }]);
    configure(away.href.replace(/sluice_test_\w+/, "other"));
    await expect
      .poll(overNewConnections(answered), { timeout: 10_000 })
      .toEqual([503, { status: "unavailable", absent_cells: ["main", "eu2"] }]);
  });

  it("with one cell are as before", async () => {
    configureCells(null);
    // What was read of the cells may be a second old.
    await expect.poll(bodyOf, { timeout: 5_000 }).toEqual({ status: "ready" });
    await expect.poll(workExposition, { timeout: 30_000, interval: 1_000 }).not.toContain("cell=");
    expect(await workExposition()).toContain("\nsluice_database_up 1\n");
  });
});

it("the refusal is a fault of the configuration", async () => {
  configure(`${own}?application_name=other`);
  await expect(start()).rejects.toBeInstanceOf(ConfigurationError);
});
