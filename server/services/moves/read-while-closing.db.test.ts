// What is read in several cells while a merchant closes to move.
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { MOVER_NAME } from "@/server/db/moves/owner";
import { fence, unfence } from "@/server/db/testing/move-by-hand";
import { type Cell, inCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { makeLiveMerchant, makeMerchant, payment } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { scriptedTopup } from "@/server/testing/topup";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { fenceIn } from "./testing/rows";
import { eu2, eu3, main, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
const ownQuery = Client.prototype.query;
afterEach(() => {
  Client.prototype.query = ownQuery;
  vi.restoreAllMocks();
});

const SETTLEMENT = { provider: "sandbox", environment: "test", from: null, to: null } as const;
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
const BANK =
  "--environment test --from bank --to provider_clearing --provider sandbox --currency BRL --amount 1020 --operator Eva --evidence seen";

async function run(...said: string[]) {
  const bytes = new TextEncoder().encode(`${[HEADER, ...said].join("\n")}\n`);
  const done = await reconcile({ ...SETTLEMENT, name: "f.csv", bytes });
  return { verdicts: done.lines.map(({ verdict }) => verdict), banked: done.linesBanked, failed: done.failedCells };
}

async function inBank(): Promise<bigint> {
  let sum = 0n;
  for (const cell of [main(), eu2(), eu3()] as Cell[]) {
    const [row] = await sql(
      cell,
      "SELECT coalesce(sum(e.amount), 0)::text AS sum FROM ledger_entry e JOIN merchant m ON m.id = e.merchant_id WHERE e.kind = 'bank'",
    );
    sum += BigInt(String(row?.["sum"]));
  }
  return sum;
}

function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Holds the mover before it closes the merchant, and again before it is to leave, as long as a delivery is under way. */
function holdTwice() {
  const own = Client.prototype.query as (this: Client, ...given: unknown[]) => Promise<unknown>;
  const gates = [gate(), gate()];
  const held = gate();
  let seen = 0;
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    const name = (this as unknown as { connectionParameters: { application_name?: string } }).connectionParameters
      .application_name;
    const isIt =
      name === MOVER_NAME && /INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/.test(String(given[0]));
    if (!isIt) return own.apply(this, given) as never;
    const present = gates[seen];
    seen += 1;
    held.resolve();
    return (present?.promise ?? Promise.resolve()).then(() => own.apply(this, given)) as never;
  } as never;
  return { held: held.promise, close: () => gates[0]?.resolve(), leave: () => gates[1]?.resolve() };
}

function beforeHandBookings(n: number, act: () => Promise<void>): void {
  const own = Client.prototype.query as (this: Client, ...given: unknown[]) => Promise<unknown>;
  let seen = 0;
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    const text = String((given[0] as { text?: string } | undefined)?.text ?? given[0]);
    if (!text.includes("FROM journal_entry j LEFT JOIN exception x") || (seen += 1) !== n)
      return own.apply(this, given) as never;
    void act().then(() => own.apply(this, given));
    return given[0] as never;
  } as never;
}

it("a bank transfer that was booked by hand is booked once by the import after one that met a move, with two cells", async () => {
  const theirs = await inCell(eu2(), () => makeMerchant());
  const reference = await inCell(eu2(), async () => {
    const { intent } = await createPaymentIntent(theirs.context, payment(), withoutIdempotency());
    await simulate(theirs.context, intent.id, "succeeded");
    return intent.id;
  });
  const ours = await inCell(main(), () => makeMerchant());
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const batch = `b-${reference}`;
  const paid = `l-${reference},payment,${reference},p-${reference},1050,BRL,0,${day},${batch}`;
  const bank = `b-${reference},bank_credit,,x-${reference},1020,BRL,0,${day},${batch}`;
  const fee = `f-${reference},fee,${reference},f-${reference},30,BRL,0,${day},${batch}`;
  await run(paid, bank);
  const [missing] = await sql(main(), "SELECT id FROM exception WHERE object_id = $1", `b-${reference}`);
  const about = ["--merchant", ours.merchantId, "--exception", String(missing?.["id"])];
  const { id } = await runCommand("journal", "propose", ...BANK.split(" "), ...about);
  await runCommand("journal", "confirm", "--id", String(id), "--operator", "Ole");
  const before = await inBank();
  expect(await move(ours.merchantId, eu2())).toMatchObject({ phase: "done" });
  const mover = holdTwice();
  const moving = move(ours.merchantId, main());
  await mover.held;
  beforeHandBookings(1, async () => {
    mover.close();
    while ((await fenceIn(eu2(), ours.merchantId)) === null) await sleep(5);
  });
  await expect(run(paid, bank, fee)).rejects.toMatchObject({ code: "service_unavailable" });
  mover.leave();
  expect(await moving).toMatchObject({ phase: "done" });
  await run(paid, bank, fee);
  expect(await inBank()).toBe(before);
});

it("an entry about the intent of a merchant that closes is not booked for another merchant", async () => {
  const theirs = await inCell(main(), () => makeMerchant());
  const reference = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(theirs.context, payment(), withoutIdempotency());
    await simulate(theirs.context, intent.id, "failed");
    return intent.id;
  });
  await sql(
    main(),
    `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = 'other', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${reference}'; COMMIT`,
  );
  const day = new Date(Date.now() - 3_600_000).toISOString();
  expect((await run(`l-${reference},payment,${reference},p-${reference},1050,BRL,0,${day},b`)).verdicts).toEqual([
    "missing_internal",
  ]);
  const other = await inCell(main(), () => makeMerchant());
  const [missing] = await sql(main(), "SELECT id FROM exception WHERE object_id = $1", reference);
  const MONEY =
    "--environment test --from provider_clearing --to available --provider sandbox --currency BRL --amount 1050 --operator Eva --evidence seen";
  const about = ["--merchant", other.merchantId, "--exception", String(missing?.["id"]), "--additional"];
  expect(await runCommand("journal", "propose", ...MONEY.split(" "), ...about)).toMatchObject({
    code: "validation_failed",
  });
  await fence(main(), theirs.merchantId, "closing", eu2());
  const unlike = await runCommand("journal", "propose", ...MONEY.split(" "), ...about.slice(0, 4));
  expect(unlike).toMatchObject({ code: "service_unavailable" });
  const additional = await runCommand("journal", "propose", ...MONEY.split(" "), ...about);
  const confirmed = await runCommand("journal", "confirm", "--id", String(additional["id"]), "--operator", "Ole");
  await unfence(main(), theirs.merchantId);
  expect(confirmed["state"]).not.toBe("confirmed");
});

it("callbacks of merchants of a cell that hangs do not hold up those of others", async () => {
  installScriptedProvider();
  acceptCallbacks();
  const [moved, neighbor] = [await inCell(main(), makeLiveMerchant), await inCell(main(), makeLiveMerchant)];
  const theirs = await inCell(main(), () => scriptedTopup(moved));
  const ours = await inCell(main(), () => scriptedTopup(neighbor));
  expect(await move(moved.merchantId, eu2())).toMatchObject({ phase: "done" });
  const server = createServer(() => undefined);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await cells.pointTo([null, `postgresql://nobody:x@127.0.0.1:${port}/none`]);
  const report = (intent: { readonly sourceAmount: bigint }) => ({
    callback_id: newId("event"),
    status: "funds_seen",
    amount: intent.sourceAmount.toString(),
    currency: "USDT",
    provider_reference: null,
    confirmed: true,
  });
  for (let n = 0; n < 300; n += 1)
    await sendCallback({ merchantId: theirs.merchantId, id: newId("topupIntent") }, report(theirs));
  const last = report(ours);
  await sendCallback(ours, last);
  const begun = performance.now();
  const isOver = async () =>
    (await sql(main(), "SELECT FROM provider_callback WHERE callback_id = $1 AND result IS NOT NULL", last.callback_id))
      .length > 0;
  while (!(await isOver()) && performance.now() - begun < 60_000)
    await inCell(main(), () => applyDueCallbacks(50, 30_000));
  const ms = performance.now() - begun;
  server.close();
  expect(ms).toBeLessThan(6_000);
});
