// What others do while a merchant moves: other commands, operators, migrations, restores, providers, a process that stands still.
import { randomUUID } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { fence, unfence } from "@/server/db/testing/move-by-hand";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { makeMember, makeMerchant } from "@/server/testing/merchant";
import { linkAuditEntries } from "../audit/link-entries";
import { signIn } from "../sign-in/sign-in";
import { holdMover } from "./testing/killed-mover";
import { fenceIn } from "./testing/rows";
import { abort, eu2, eu3, killedAt, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

it("a long transaction of somebody else makes the move wait, and not the merchant", async () => {
  const merchantId = await makeOne();
  const long = new Client({ connectionString: cells.own[0], application_name: "a report of somebody's" });
  await long.connect();
  await long.query("BEGIN; SELECT count(*) FROM merchant");
  const waits = new Promise<void>((resolve) => {
    cells.onLine = (line) => line.includes("a report of somebody's") && resolve();
  });
  const fences = new Set<string | null>();
  const looking = setInterval(() => void fenceIn(main(), merchantId).then((fence) => fences.add(fence)), 100);
  const moving = move(merchantId, eu2());
  try {
    await waits;
    clearInterval(looking);
    expect([...fences]).toEqual([null]);
  } finally {
    clearInterval(looking);
    await long.query("ROLLBACK");
    await long.end();
    expect(await moving).toMatchObject({ phase: "done" });
  }
});

it("a move whose merchant left a month ago can be finished", async () => {
  const merchantId = await makeOne();
  await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
  await sql(main(), "UPDATE merchant_fence SET since = now() - interval '30 days' WHERE merchant = $1", merchantId);
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
});

it("a command that waited does not go on with a move from another cell", async () => {
  const merchantId = await makeOne();
  const record = (from: Cell, phase: string) =>
    sql(
      main(),
      "INSERT INTO merchant_move (id, merchant, from_cell, to_cell, is_return, phase) VALUES ($1, $2, $3, 'eu3', false, $4)",
      newId("merchantMove"),
      merchantId,
      from.name,
      phase,
    );
  await record(main(), "copying");
  let isOver = false;
  const mover = holdMover({
    test(text: string) {
      if (isOver || !text.includes("pg_try_advisory_lock(")) return false;
      isOver = true;
      return true;
    },
  } as RegExp);
  const late = move(merchantId, eu3());
  try {
    await mover.held;
    expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
    expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
    await record(eu2(), "pausing");
  } finally {
    mover.goOn();
    expect(await late).toHaveProperty("code");
    mover.restore();
  }
  expect(
    await sql(main(), "SELECT phase FROM merchant_move WHERE merchant = $1 AND ended_at IS NULL", merchantId),
  ).toEqual([{ phase: "pausing" }]);
  expect(await move(merchantId, eu3())).toMatchObject({ phase: "done", from: "eu2" });
});

it("a right password is not called wrong while the merchant moves", async () => {
  const email = `${randomUUID()}@staff.example`;
  const { merchantId } = await inCell(main(), () => makeMerchant());
  await inCell(main(), () => makeMember(merchantId, email, "finance"));
  const tryIn = () => signIn({ email, password: "correct horse battery", address: randomUUID() });
  expect(await tryIn()).toMatchObject({ merchantId });
  await fence(eu2(), merchantId, "arriving", main());
  for (const state of ["closing", "leaving"] as const) {
    await fence(main(), merchantId, state, eu2());
    await expect(tryIn()).rejects.toMatchObject({ code: "service_unavailable" });
  }
  await unfence(main(), merchantId);
  await unfence(eu2(), merchantId);
});

// Open: see "Backups may run meanwhile" in docs/operating.md.
it.fails("foreign keys can be checked while a merchant arrives, as by a restored pg_dump or a migration", async () => {
  const merchantId = await makeOne();
  const mover = holdMover(/^SELECT jsonb_build_object\('id', t.id\)::text AS key, t::text AS row FROM merchant t\s/);
  const moving = move(merchantId, eu2());
  try {
    await mover.held;
    const name = "api_key_merchant_id_fkey";
    const added = sql(
      eu2(),
      `BEGIN; ALTER TABLE api_key DROP CONSTRAINT ${name};
       ALTER TABLE api_key ADD CONSTRAINT ${name} FOREIGN KEY (merchant_id) REFERENCES merchant (id); ROLLBACK`,
    );
    await expect(added.then(() => "added")).resolves.toBe("added");
  } finally {
    mover.goOn();
    await moving;
    mover.restore();
  }
});

it("audit verify with anchors does not take a merchant that moves for tampered with", async () => {
  const merchantId = await makeOne();
  await inEachCell(linkAuditEntries);
  const anchors = join(await mkdtemp(join(tmpdir(), "sluice-anchors-")), "all.json");
  await writeFile(anchors, JSON.stringify(await runCommand("audit", "verify")));
  await fence(main(), merchantId, "closing", eu2());
  const report = await runCommand("audit", "verify", "--anchors", anchors);
  await unfence(main(), merchantId);
  const [first] = report["cells"] as { readonly merchants: readonly Record<string, unknown>[] }[];
  const found = first?.merchants.find((one) => one["merchant_id"] === merchantId);
  expect(found).toMatchObject({ fault_count: 0 });
});

it("a column that a migration adds in the middle of a move has the same values afterwards", async () => {
  const merchantId = await makeOne();
  const added: Promise<unknown>[] = [];
  const everywhere = (text: string) => Promise.all(allCells().map((cell) => sql(cell, text)));
  const stampIn = async (cell: Cell) =>
    (await sql(cell, "SELECT stamp::text FROM merchant WHERE id = $1", merchantId))[0]?.["stamp"];
  let before: unknown;
  const add = async () => {
    await everywhere("ALTER TABLE merchant ADD COLUMN stamp uuid DEFAULT gen_random_uuid()");
    before = await stampIn(main());
  };
  const mover = holdMover(/^INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/);
  const moving = move(merchantId, eu2());
  try {
    await mover.held;
    added.push(add());
    await Promise.all(added);
  } finally {
    mover.goOn();
    await moving;
    mover.restore();
  }
  // The command may refuse to go on, and does so when it runs again.
  await move(merchantId, eu2());
  const after = await stampIn(eu2());
  await everywhere("ALTER TABLE merchant DROP COLUMN stamp");
  expect(after).toBe(before);
});
