// What keeps a merchant from moving, and what happens to it then.
import { randomBytes } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect } from "@/server/db/client";
import { lockMove } from "@/server/db/moves/fences";
import { MOVER_NAME, openOwner } from "@/server/db/moves/owner";
import { asOwnerOf, fence } from "@/server/db/testing/move-by-hand";
import { configureCells, openTwoCells, SECOND_CELL, type TwoCells } from "@/server/db/testing/second-cell";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { linkAuditEntries } from "@/server/services/audit/link-entries";
import { workExposition } from "@/server/services/work-metrics";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { settleAbandonedMoves } from "./abandoned";
import { fenceIn, rowsOf, tracesIn } from "./testing/rows";

// Bounds for what hangs: two cores may be shared.
vi.setConfig({ testTimeout: 180_000 });

const FENCES = "20261201010000_merchant_fence";

let cells: TwoCells;
let first: Cell;
let second: Cell;
let merchantId: string;
let said: string[];

beforeAll(async () => {
  reachEveryMerchant();
  cells = await openTwoCells();
  ({ first, second } = cells);
  catchStandardError((line) => said.push(line));
});
beforeEach(async () => {
  said = [];
  ({ merchantId } = await inCell(first, makeLiveMerchant));
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const move = (to = second) =>
  runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");
const abort = () => runCommand("merchants", "move", "--merchant", merchantId, "--abort");
const asOwner = (cell: Cell, sql: string) => asOwnerOf(cell, (client) => client.query(sql));

/** Runs work while another user connects to the second cell, by its url or its direct_url. */
async function withAnotherUser(member: "url" | "direct_url", work: (role: string) => Promise<void>): Promise<void> {
  const role = `limited_${randomBytes(4).toString("hex")}`;
  const url = second.databaseUrl ?? "";
  const limited = new URL(url);
  limited.username = role;
  limited.password = role;
  await asOwner(second, `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
  await asOwner(second, `GRANT SELECT ON installation, _prisma_migrations TO ${role}`);
  await disconnect();
  configureCells([{ ...SECOND_CELL, url, direct_url: url, [member]: limited.href }]);
  try {
    await work(role);
  } finally {
    await disconnect();
    configureCells([{ ...SECOND_CELL, url }]);
    await asOwner(second, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
}

describe("a move is refused", () => {
  it("if the user may not switch triggers off", () =>
    withAnotherUser("direct_url", async () => {
      const refused = {
        code: "validation_failed",
        message: expect.stringContaining("GRANT SET ON PARAMETER") as string,
      };
      expect(await move()).toMatchObject(refused);
    }));

  it("if row-level security does not bind the service", () =>
    withAnotherUser("url", async () => {
      const refused = { code: "validation_failed", message: expect.stringContaining("row-level security") as string };
      expect(await move()).toMatchObject(refused);
    }));

  it("while sessions work that are older than the fences", async () => {
    const finish = (at: string) =>
      asOwner(first, `UPDATE _prisma_migrations SET finished_at = ${at} WHERE migration_name = '${FENCES}'`);
    const old = new Client({ connectionString: first.databaseUrl ?? "" });
    await old.connect();
    await finish("now() + interval '1 hour'");
    expect(await move()).toMatchObject({
      message: expect.stringContaining("sessions from before this release") as string,
    });
    await finish("now() - interval '1 hour'");
    await old.end();
  });

  it("while another process moves the merchant", async () => {
    const other = await openOwner(first);
    expect(await lockMove(other, merchantId)).toBe(true);
    expect(await move()).toMatchObject({ message: "Another process is moving the merchant." });
    await other.end();
    expect(await rowsOf(second, merchantId)).toEqual({});
    expect(await runCommand("merchants", "moves")).toMatchObject({ data: [] });
  });
});

describe("a merchant whose move was killed during the pause", () => {
  it("is opened again by a worker, unless the move is alive", async () => {
    await fence(first, merchantId, "leaving", second);
    const mover = await openOwner(first);
    await lockMove(mover, merchantId);
    await inCell(first, settleAbandonedMoves);
    expect(await fenceIn(first, merchantId)).toBe("leaving eu2");
    await mover.end();
    await vi.waitFor(async () => {
      await inCell(first, settleAbandonedMoves);
      expect(await fenceIn(first, merchantId)).toBeNull();
    }, 10_000);
  });
});

it("merchants whose pause lasts for over a minute are counted, in each of its states", async () => {
  const counts = async (count: number) =>
    expect((await workExposition()).split("\n")).toContain(
      `sluice_merchants_misplaced{trouble="closed",cell="main"} ${count}`,
    );
  await asOwner(
    first,
    `INSERT INTO merchant_fence (merchant, state, other_cell, stay, opening)
     VALUES ('mer_1', 'closing', 'eu2', NULL, NULL), ('mer_2', 'leaving', 'eu2', NULL, NULL),
            ('mer_3', 'ready', 'eu2', 1, repeat('0', 64)), ('mer_4', 'arriving', 'eu2', NULL, NULL)`,
  );
  await counts(0);
  await asOwner(first, "UPDATE merchant_fence SET since = now() - interval '61 seconds'");
  // The exposition is read every few seconds.
  await vi.waitFor(() => counts(3), 60_000);
  await asOwner(first, "DELETE FROM merchant_fence WHERE merchant ~ '^mer_[1-4]$'");
});

describe("a transaction in the old cell that does not end", () => {
  it("makes the move wait, and not the merchant", async () => {
    const slow = new Client({ connectionString: first.databaseUrl ?? "", application_name: "psql" });
    await slow.connect();
    await slow.query("BEGIN; SELECT 1");
    const moving = move();
    const early = moving.then((answer) => expect(answer).toBe("not there yet"));
    try {
      const waits = vi.waitFor(() => expect(said.join("")).toContain("(psql) did not end"), 50_000);
      await Promise.race([waits, early]);
      expect(await fenceIn(first, merchantId)).toBeNull();
    } finally {
      await slow.end();
      early.catch(() => undefined);
    }
    expect(await moving).toMatchObject({ phase: "done" });
  });

  it.each(["pg_dump", MOVER_NAME])("is not waited for if it is that of %s", async (name) => {
    const other = new Client({ connectionString: first.databaseUrl ?? "", application_name: name });
    await other.connect();
    await other.query("BEGIN; SELECT 1");
    expect(await move()).toMatchObject({ phase: "done" });
    expect(said.join("")).not.toContain("did not end");
    await other.end();
  });
});

describe("a copy that is not the same", () => {
  const faulty = (change: string) =>
    asOwner(
      first,
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE ledger_account SET balance = ${change}
       WHERE merchant_id = '${merchantId}' AND environment = 'live' AND kind = 'available'; COMMIT`,
    );

  it("keeps the merchant where it was, open, and the move can be undone", async () => {
    await faulty("balance + 1");
    const failed = await move();
    expect(failed).toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining("the balance of live BRL available is not the sum of its entries") as string,
    });
    expect([await fenceIn(first, merchantId), await fenceIn(second, merchantId)]).toEqual([null, "arriving main"]);
    const [open] = (await runCommand("merchants", "moves"))["data"] as object[];
    expect(open).toMatchObject({ merchant_id: merchantId, phase: "pausing", ended_at: null });
    expect(await abort()).toMatchObject({ phase: "aborted", cell: "main" });
    await faulty("balance - 1");
    expect([await rowsOf(second, merchantId), await tracesIn(first)]).toEqual([{}, []]);
    expect(await fenceIn(second, merchantId)).toBeNull();
    expect(await move()).toMatchObject({ phase: "done" });
  });
});

describe("audit verify with anchors from before a move", () => {
  it("compares the chain where the merchant is now", async () => {
    await inEachCell(linkAuditEntries);
    const folder = await mkdtemp(join(tmpdir(), "sluice-anchors-"));
    const [all, own] = [join(folder, "all.json"), join(folder, "own.json")];
    await writeFile(all, JSON.stringify(await runCommand("audit", "verify")));
    const report = JSON.stringify(await runCommand("audit", "verify", "--merchant", merchantId));
    await writeFile(own, report);
    const verify = async () => ({
      all: (await runCommand("audit", "verify", "--anchors", all))["cells"],
      own: await runCommand("audit", "verify", "--merchant", merchantId, "--anchors", own),
    });
    expect(await move()).toMatchObject({ phase: "done" });
    await inEachCell(linkAuditEntries);
    expect(await verify()).toMatchObject({ all: [{ broken: 0 }, { broken: 0 }], own: { broken: 0 } });

    await asOwner(
      second,
      `BEGIN; SET LOCAL session_replication_role = replica;
       DELETE FROM audit_link WHERE merchant_id = '${merchantId}';
       DELETE FROM audit_entry WHERE merchant_id = '${merchantId}';
       DELETE FROM audit_chain WHERE merchant_id = '${merchantId}'; COMMIT`,
    );
    expect(await verify()).toMatchObject({ all: [{ broken: 0 }, { broken: 1 }], own: { broken: 1 } });
  });
});
