// What others do while a merchant moves: other commands, operators, migrations, restores, providers, a process that stands still.
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { claimDueCallbacksAcrossMerchants } from "@/server/db/callbacks";
import { fence, moveByHand, unfence } from "@/server/db/testing/move-by-hand";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { reachEveryMerchant } from "@/server/platform/reach";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { makeLiveMerchant, makeMember, makeMerchant, payment } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { linkAuditEntries } from "../audit/link-entries";
import { callbackDigest } from "../callbacks/digest";
import { handOver } from "../callbacks/hand-over";
import { receiveCallback } from "../callbacks/receive-callback";
import { readCallback } from "../callbacks/try";
import { listFences } from "../cells/moved";
import { settleStays } from "../cells/settle-stays";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { signIn } from "../sign-in/sign-in";
import { settleAbandonedMoves } from "./abandoned";
import { holdMover } from "./testing/killed-mover";
import { fenceIn, rowsOf, tracesIn } from "./testing/rows";
import {
  abort,
  eu2,
  eu3,
  killedAt,
  main,
  makeOne,
  move,
  openThreeCells,
  sql,
  type ThreeCells,
} from "./testing/three-cells";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let cells: ThreeCells;
let atLine: (line: string) => unknown = () => undefined;

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError((line) => atLine(line));
  cells = await openThreeCells();
});
afterEach(async () => {
  atLine = () => undefined;
  await cells.pointTo();
});
afterAll(() => cells.end());

describe("a mover that is stopped, such as by Ctrl-Z,", () => {
  it.each([
    ["leaves", /SET state = 'left', stay/, 0],
    ["opens", /SELECT open_arrival/, 1],
  ] as const)("before the merchant %s does not keep it closed", async (_, statement, home) => {
    const merchantId = await makeOne();
    const setOwn = globalThis.setTimeout;
    // A stopped process runs no timers: not that of the pause either.
    const timers = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation(((run: () => void, ms: number) => setOwn(ms === 30_000 ? () => {} : run, ms)) as never);
    const mover = holdMover(statement);
    const moving = move(merchantId, eu2());
    try {
      await mover.held;
      timers.mockRestore();
      await vi.waitFor(
        async () => {
          await inEachCell(settleAbandonedMoves);
          expect(await fenceIn(allCells()[home] as Cell, merchantId)).toBeNull();
        },
        { timeout: 75_000, interval: 2_000 },
      );
    } finally {
      timers.mockRestore();
      mover.goOn();
      await moving;
      mover.restore();
    }
    expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  });
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

describe("a callback that names its reference alone", () => {
  const SECRET = "a secret of at least thirty-two characters";
  beforeEach(() => {
    configureGateways(
      JSON.stringify([{ name: "acme", url: "http://127.0.0.1:9", secret: SECRET, payment_methods: "all" }]),
    );
    configureRoutes(JSON.stringify([{ kind: "payment", providers: [{ name: "acme" }] }]));
  });
  afterEach(() => {
    configureGateways(null);
    configureRoutes(null);
  });

  it("is tried after an hour, so that an operator sees it, if a cell is still unknown", async () => {
    const { merchantId } = await inCell(main(), () => makeMerchant());
    await fence(main(), merchantId, "left", { ...eu2(), name: "eu9" });
    const reference = newId("paymentIntent");
    const handed = (ageMs: number) =>
      inCell(main(), async () => {
        const key = { provider: "acme", callbackId: newId("event"), body: "{}" };
        const received = { ...key, receivedAt: new Date(Date.now() - ageMs) };
        const row = { attempts: 1, result: null, finishedAt: null, dueAt: null };
        const callback = { ...received, ...row, digest: callbackDigest(received) };
        const reading = { kind: "hint", merchantId: null, reference } as const;
        return handOver(callback, reading as never, await listFences());
      });
    const both = [await handed(60_000), await handed(86_400_000)];
    await fence(main(), merchantId, "arriving", eu2());
    await unfence(main(), merchantId);
    expect(both).toEqual([true, false]);
  });

  it("waits while its merchant closes in another cell than the one that it came to", async () => {
    const merchant = await inCell(main(), makeLiveMerchant);
    const { merchantId } = merchant;
    const { intent } = await inCell(main(), () =>
      createPaymentIntent(merchant.context, payment(), withoutIdempotency()),
    );
    const callbackId = newId("event");
    const body = JSON.stringify({
      callback_id: callbackId,
      merchant_id: merchantId,
      reference: intent.id,
      status: "succeeded",
      amount: "1050",
      currency: "BRL",
      provider_reference: `psp-${intent.id}`,
    });
    const message = { method: "POST", path: "/providers/acme/callbacks", body };
    await receiveCallback("acme", new Headers(signedHeaders(SECRET, message, new Date())), body);
    await moveByHand(main(), eu2(), merchantId);
    await fence(eu2(), merchantId, "closing", eu3());
    await fence(eu3(), merchantId, "arriving", eu2());
    const [callback] = (await inCell(main(), () => claimDueCallbacksAcrossMerchants(1_000, 30_000))).filter(
      (one) => one.callbackId === callbackId,
    );
    if (!callback) throw new Error("the callback was not claimed");
    const handed = await inCell(main(), async () => {
      const reading = { ...(await readCallback(callback)), merchantId: null };
      return handOver(callback, reading, await listFences());
    });
    await unfence(eu3(), merchantId);
    await unfence(eu2(), merchantId);
    expect(handed).toBe(true);
  });
});

it("drop-copy leaves nothing of the move in the new cell, whose logs would never lose anything again", async () => {
  const merchantId = await makeOne(eu2());
  const earlier = await cells.backUp(eu2());
  await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu3());
  await cells.pointTo([null, earlier]);
  await inEachCell(settleStays);
  expect(await fenceIn(eu2(), merchantId)).toBe("left eu3");
  const dropped = await runCommand("merchants", "drop-copy", "--merchant", merchantId, "--from", "eu2");
  expect(dropped).not.toHaveProperty("code");
  expect([await tracesIn(eu2()), await tracesIn(eu3())]).toEqual([[], []]);
});

it("what docs/operating.md says cleans a cell that was restored to the middle of an arrival", async () => {
  const merchantId = await makeOne();
  await killedAt(/count\(\*\)::int AS count FROM api_key/, merchantId, eu2());
  const middle = await cells.backUp(eu2());
  expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
  await cells.pointTo([null, middle]);
  const noting = async () =>
    (await sql(eu2(), "SELECT FROM merchant_move_noting WHERE merchant = $1 AND ended_at IS NULL", merchantId)).length;
  expect([await fenceIn(eu2(), merchantId), await noting()]).toEqual(["arriving main", 1]);
  await killedAt(/INSERT INTO merchant_fence AS f/, merchantId, eu2());
  expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
  expect([await fenceIn(eu2(), merchantId), await noting()]).toEqual([null, 0]);
  expect(await rowsOf(eu2(), merchantId)).toEqual({});
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

describe("a record that has fallen back, as after a failover of the first cell,", () => {
  const COUNTING = /count\(\*\)::int AS count FROM api_key/;
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

describe("what docs/operating.md says about a merchant in no cell", () => {
  /** The statements for opening it in the old cell again. */
  async function statements(merchantId: string): Promise<string> {
    const text = await readFile("docs/operating.md", "utf8");
    const block = /A merchant is in no cell[\s\S]*?```sql\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
    expect(block).toContain("DELETE FROM merchant_fence");
    return block.replaceAll("mer_…", merchantId);
  }
  it("leaves no noting behind, for which the logs of all merchants would grow", async () => {
    const merchantId = await makeOne();
    const before = await cells.backUp(eu2());
    await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
    await cells.pointTo([null, before]);
    await sql(main(), await statements(merchantId));
    const open = "SELECT merchant FROM merchant_move_noting WHERE merchant = $1 AND ended_at IS NULL";
    expect(await sql(main(), open, merchantId)).toEqual([]);
  });

  it("makes the old cell the newer one, so that a later restore of the other does not close it", async () => {
    const merchantId = await makeOne();
    const before = await cells.backUp(eu2());
    await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
    const later = await cells.backUp(eu2());
    await cells.pointTo([null, before]);
    await sql(main(), await statements(merchantId));
    await sql(main(), "UPDATE merchant SET name = 'Went on' WHERE id = $1", merchantId);
    // Somebody has found a later backup.
    await cells.pointTo([null, later]);
    await inEachCell(settleStays);
    const fences = [await fenceIn(main(), merchantId), await fenceIn(eu2(), merchantId)];
    expect(fences).toEqual([null, "left main"]);
  });
});

it("a line that was nobody's at first does not keep the merchant from coming back", async () => {
  const merchant = await inCell(main(), () => makeMerchant());
  const { merchantId } = merchant;
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    return intent.id;
  });
  // As a payment that failed over to another provider before the first one reported its money.
  const provider = (name: string) =>
    sql(
      main(),
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = '${name}', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
    );
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const text = `${header}\nl-${id},payment,${id},p-${id},1050,BRL,0,${day},b\n`;
  const file = { name: "f.csv", bytes: new TextEncoder().encode(text), from: null, to: null };
  const run = async () =>
    (await reconcile({ provider: "sandbox", environment: "test", ...file })).lines.map(({ verdict }) => verdict);
  await provider("other");
  const nobodys = await run();
  await provider("sandbox");
  await inCell(main(), () => simulate(merchant.context, id, "succeeded"));
  const there = await move(merchantId, eu2());
  const matched = await run();
  const back = await move(merchantId, main());
  expect({ nobodys, there, matched, back }).toMatchObject({
    nobodys: ["missing_internal"],
    there: { phase: "done" },
    matched: ["matched"],
    back: { phase: "done" },
  });
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

it("a merchant opens in its new cell although a third one was restored to an earlier stay", async () => {
  const merchantId = await makeOne();
  const earlier = await cells.backUp(main());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await killedAt(/SET state = 'left', stay/, merchantId, eu3());
  await cells.pointTo([earlier]);
  await vi.waitFor(
    async () => {
      await inEachCell(settleStays);
      const fences = await Promise.all(allCells().map((cell) => fenceIn(cell, merchantId)));
      expect(fences).toEqual(["left eu3", "left eu3", null]);
    },
    { timeout: 20_000, interval: 1_000 },
  );
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

it("a callback that waits for an operator is kept if its id has another body in the new cell", async () => {
  const merchantId = await makeOne();
  const id = newId("event");
  const store = (cell: Cell, body: string, result: string) =>
    sql(
      cell,
      `INSERT INTO provider_callback (provider, callback_id, body, received_at, digest, attempts, result, applied_at, due_at)
       VALUES ('acme', $1, $2, now(), NULL, 16, $3, now(), NULL)`,
      id,
      body,
      result,
    );
  await store(main(), "ours", "failing");
  await store(eu2(), "another", "applied");
  await sql(
    main(),
    `INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
     VALUES ($1, $2, 'live', 'unapplied_callback', $3, $4, jsonb_build_object('callback', $3::text), now())`,
    merchantId,
    newId("exception"),
    `acme/${id}`,
    `callback:acme/${id}`,
  );
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const find =
    "SELECT result FROM provider_callback WHERE callback_id LIKE $1 || '%' AND body = 'ours' AND result <> 'handed_over'";
  const found = [...(await sql(main(), find, id)), ...(await sql(eu2(), find, id))];
  expect(found).toEqual([{ result: "failing" }]);
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
