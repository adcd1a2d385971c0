// What the owner of a cell's tables needs for a move: the grants that docs/operating.md names, each of them, and no others.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect, query } from "@/server/db/client";
import { openOwner } from "@/server/db/moves/owner";
import { OWNER_GRANTS, openPlainCells, type PlainCells } from "@/server/db/testing/plain-owners";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { playVariedRun } from "@/server/services/invariants/testing/varied-run";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { fenceIn, rowsOf, tracesIn } from "./testing/rows";

vi.setConfig({ testTimeout: 300_000 });

let cells: PlainCells;
let first: Cell;
let second: Cell;
let merchantId: string;

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError();
  cells = await openPlainCells();
  ({ first, second } = cells);
});
beforeEach(async () => {
  ({ merchantId } = await inCell(first, makeLiveMerchant));
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const move = (id: string, to: Cell) =>
  runCommand("merchants", "move", "--merchant", id, "--to", to.name, "--experimental");

it("a merchant with a varied past moves and comes back with owners who are no superusers", async () => {
  for (const cell of [first, second]) {
    const owner = await openOwner(cell);
    const sql =
      "SELECT rolsuper OR rolbypassrls OR rolcreaterole AS is_more FROM pg_roles WHERE rolname = current_user";
    expect(await owner.query(sql)).toEqual([{ is_more: false }]);
    await owner.end();
  }
  await inCell(first, playVariedRun);
  const rows = await inCell(first, () => query<{ id: string }>("SELECT id FROM merchant ORDER BY id"));
  expect(rows.length).toBeGreaterThan(1);
  for (const { id } of rows) {
    const before = Object.keys(await rowsOf(first, id));
    expect(await move(id, second)).toMatchObject({ phase: "done" });
    expect(await rowsOf(first, id)).toEqual({});
    expect(Object.keys(await rowsOf(second, id))).toEqual(expect.arrayContaining(before));
  }
  await inEachCell(requireInvariants);
  for (const { id } of rows) {
    expect(await move(id, first)).toMatchObject({ phase: "done" });
    expect(await rowsOf(second, id)).toEqual({});
  }
  for (const cell of [first, second]) expect(await tracesIn(cell)).toEqual([]);
});

describe("without one of the grants, in either cell", () => {
  const TEXTS: Readonly<Record<(typeof OWNER_GRANTS)[number], string>> = {
    "SET ON PARAMETER session_replication_role": "run GRANT SET ON PARAMETER session_replication_role there",
    pg_read_all_stats: "run GRANT pg_read_all_stats TO that user there",
  };
  const cases = OWNER_GRANTS.flatMap((grant) => [0, 1].map((at) => [grant, at] as const));

  it.each(cases)("%s, cell %i: the move is refused with what to run, and nothing is done", async (grant, at) => {
    const owner = cells.owners[at] ?? "";
    await cells.asSuperuser(`REVOKE ${grant} FROM ${owner}`);
    const refused = await move(merchantId, second);
    await cells.asSuperuser(`GRANT ${grant} TO ${owner}`);
    const cell = [first, second][at]?.name ?? "";
    expect(refused).toMatchObject({ code: "validation_failed" });
    expect(refused["message"]).toMatch(new RegExp(`^${cell} .*${TEXTS[grant]}`));
    expect([await rowsOf(second, merchantId), await fenceIn(second, merchantId)]).toEqual([{}, null]);
    expect(await tracesIn(first)).toEqual([]);
  });
});

it("the operator's guide names exactly these grants", async () => {
  const guide = await readFile("docs/operating.md", "utf8");
  const part = guide.slice(guide.indexOf("### Moving a merchant"), guide.indexOf("## Backup and restore"));
  const named = [...part.replaceAll("\n", " ").matchAll(/`GRANT (.*?) TO sluice`/g)].map(([, grant]) => grant);
  expect(named).toEqual([...OWNER_GRANTS]);
});
