// A merchant moves between two cells as a whole, whatever it has and wherever the command is killed.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sizeOf, tier } from "@/e2e/support/tier";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect, query } from "@/server/db/client";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { linkAuditEntries } from "@/server/services/audit/link-entries";
import { playVariedRun } from "@/server/services/invariants/testing/varied-run";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { type KilledMover, killMover } from "./testing/killed-mover";
import { fenceIn, rowsOf, tracesIn } from "./testing/rows";

const GIVEN_STEP = process.env["MOVE_STEP"];

// Bounds for what hangs: each test moves merchants many times, and two cores may be shared.
vi.setConfig({ testTimeout: GIVEN_STEP || tier === "deep" ? 4 * 3_600_000 : 300_000 });

let cells: TwoCells;
let first: Cell;
let second: Cell;
let mover: KilledMover | null = null;

beforeAll(async () => {
  reachEveryMerchant();
  // What a move says while it runs.
  catchStandardError();
  cells = await openTwoCells();
  ({ first, second } = cells);
});
afterEach(() => {
  mover?.restore();
  mover = null;
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const move = (merchantId: string, to: Cell) =>
  runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");
const abort = (merchantId: string) => runCommand("merchants", "move", "--merchant", merchantId, "--abort");

type Rows = Awaited<ReturnType<typeof rowsOf>>;

/** Without the entries that the move itself wrote; the chain's end moves with them. */
function apartFromMoves(rows: Rows): Rows {
  const { audit_pending: _pending, audit_entry = [], ...others } = rows;
  return { ...others, audit_entry: audit_entry.filter((row) => !row.includes("merchant.move_")) };
}

/** The ids of all merchants of the cell with what they have. */
async function residentsOf(cell: Cell): Promise<string[]> {
  const rows = await inCell(cell, () => query<{ id: string }>("SELECT id FROM merchant ORDER BY id"));
  return rows.map(({ id }) => id);
}

describe("a merchant with a varied past", () => {
  it("moves with every row, leaves nothing behind, and comes back", async () => {
    await inCell(first, playVariedRun);
    await inEachCell(linkAuditEntries);
    const ids = await residentsOf(first);
    expect(ids.length).toBeGreaterThan(1);
    for (const id of ids) {
      const before = await rowsOf(first, id);
      const done = await move(id, second);
      expect(done).toMatchObject({ merchant_id: id, phase: "done", from: "main", to: "eu2" });
      expect(Object.keys(done["rows"] as object).sort()).toEqual(Object.keys({ ...before, audit_pending: [] }).sort());
      expect(apartFromMoves(await rowsOf(second, id))).toEqual(apartFromMoves(before));
      expect(await rowsOf(first, id)).toEqual({});
      expect([await fenceIn(first, id), await fenceIn(second, id)]).toEqual(["left eu2", null]);
    }
    await inEachCell(linkAuditEntries);
    await inEachCell(requireInvariants);
    for (const id of ids) {
      const before = await rowsOf(second, id);
      expect(await move(id, first)).toMatchObject({ phase: "done", from: "eu2", to: "main" });
      expect(apartFromMoves(await rowsOf(first, id))).toEqual(apartFromMoves(before));
      expect(await rowsOf(second, id)).toEqual({});
    }
    await inEachCell(linkAuditEntries);
    for (const cell of [first, second]) expect(await tracesIn(cell)).toEqual([]);
    expect(await runCommand("audit", "verify")).toMatchObject({ cells: [{ broken: 0 }, { broken: 0 }] });
  });
});

describe("a merchant with many rows", () => {
  it("moves page by page along the keys, whatever their collation", async () => {
    const { merchantId } = await inCell(first, makeLiveMerchant);
    // Bytes sort these otherwise than words do.
    const terms = `INSERT INTO search_term (merchant_id, environment, kind, field, term, rank, object_id)
      SELECT $1, 'live', 'payment_intent', 'reference', chr(65 + n % 60) || '-' || chr(97 + n % 7) || '_' || n, -n, 'dord_' || n
      FROM generate_series(1, 2500) AS n`;
    await inCell(first, () => query(terms, merchantId));
    const before = await rowsOf(first, merchantId);
    expect(before["search_term"]).toHaveLength(2_500);
    expect(await move(merchantId, second)).toMatchObject({ phase: "done", rows: { search_term: 2_500 } });
    expect(apartFromMoves(await rowsOf(second, merchantId))).toEqual(apartFromMoves(before));
    expect(await rowsOf(first, merchantId)).toEqual({});
  });
});

/**
 * How many statements of a move lie between two at which it is killed. A deep run plays every one, which takes twenty minutes for
 * each of the two tests; MOVE_STEP chooses another step. The usual ones are primes, so that statements before and after their
 * execution take turns.
 */
const stepOf = (usual: number) => Number(GIVEN_STEP ?? sizeOf({ representative: usual, deep: 1 }));

/** What a command says that goes on with a move, or comes after it. */
const DONE = ["done", "to is the cell that the merchant is in"];

describe("a move that is killed", () => {
  it("goes on when the command runs again, wherever it was killed", async () => {
    const { merchantId } = await inCell(first, makeLiveMerchant);
    mover = killMover();
    expect(await move(merchantId, second)).toMatchObject({ phase: "done" });
    const statements = mover.sent();
    mover.restore();
    let [here, there] = [second, first];
    const step = stepOf(83);
    for (let at = 0; at < statements; at += step) {
      const before = await rowsOf(here, merchantId);
      mover = killMover(at, at % 2 === 1);
      const killed = await move(merchantId, there);
      mover.restore();
      expect([at, killed["code"]]).toEqual([at, "service_unavailable"]);
      const resumed = await move(merchantId, there);
      // The last statements only read what is reported.
      expect([at, DONE]).toEqual([at, expect.arrayContaining([resumed["phase"] ?? resumed["message"]])]);
      expect([at, apartFromMoves(await rowsOf(there, merchantId))]).toEqual([at, apartFromMoves(before)]);
      expect([at, await rowsOf(here, merchantId)]).toEqual([at, {}]);
      expect([at, await tracesIn(here), await tracesIn(there)]).toEqual([at, [], []]);
      [here, there] = [there, here];
    }
  });

  it("is undone by --abort until the merchant has switched", async () => {
    const { merchantId } = await inCell(first, makeLiveMerchant);
    mover = killMover();
    await move(merchantId, second);
    const statements = mover.sent();
    mover.restore();
    let here = second;
    const step = stepOf(89);
    const ends: string[] = [];
    for (let at = 1; at < statements; at += step) {
      const there = here === first ? second : first;
      const before = await rowsOf(here, merchantId);
      const fence = await fenceIn(there, merchantId);
      mover = killMover(at, at % 2 === 1);
      await move(merchantId, there);
      mover.restore();
      const open = ((await runCommand("merchants", "moves"))["data"] as Record<string, unknown>[]).find(
        (one) => one["merchant_id"] === merchantId && one["ended_at"] === null,
      );
      if (!open) continue;
      const aborted = await abort(merchantId);
      if (aborted["code"] === "validation_failed") {
        ends.push(String((await move(merchantId, there))["phase"]));
        here = there;
        continue;
      }
      expect([at, aborted]).toMatchObject([at, { phase: "aborted", cell: here.name }]);
      expect([at, apartFromMoves(await rowsOf(here, merchantId))]).toEqual([at, apartFromMoves(before)]);
      expect([at, await rowsOf(there, merchantId)]).toEqual([at, {}]);
      expect([at, await fenceIn(here, merchantId), await fenceIn(there, merchantId)]).toEqual([at, null, fence]);
      expect([at, await tracesIn(here), await tracesIn(there)]).toEqual([at, [], []]);
    }
    expect(new Set(ends)).toEqual(new Set(["done"]));
  });
});

describe("a move is refused", () => {
  it("to an unknown cell, to the merchant's own, for an unknown merchant, and without an open one to undo", async () => {
    const { merchantId } = await inCell(first, makeLiveMerchant);
    const unknown = "mer_01h455vb4pex5vsknk084sn02q";
    const refusals = [
      [["--merchant", merchantId, "--to", "eu3", "--experimental"], "validation_failed", "to must be one of main, eu2"],
      [
        ["--merchant", merchantId, "--to", "main", "--experimental"],
        "validation_failed",
        "to is the cell that the merchant is in",
      ],
      [["--merchant", unknown, "--to", "eu2", "--experimental"], "not_found", "No merchant has this id."],
      [["--merchant", merchantId, "--abort"], "validation_failed", "the merchant has no open move"],
      [["--merchant", merchantId], "usage", "give either --to or --abort"],
      [["--merchant", merchantId, "--to", "eu2"], "usage", expect.stringContaining("is not safe yet")],
      [["--merchant", merchantId, "--to", "eu2", "--abort"], "usage", "give either --to or --abort"],
    ] as const;
    for (const [words, code, message] of refusals)
      expect(await runCommand("merchants", "move", ...words)).toMatchObject({ code, message });
    expect(await rowsOf(second, merchantId)).toEqual({});
  });
});
