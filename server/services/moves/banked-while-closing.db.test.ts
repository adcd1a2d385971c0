// A bank transfer that was booked by hand, while the merchant of the entry closes to move during an import.
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { MOVER_NAME } from "@/server/db/moves/owner";
import { type Cell, inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { fenceIn } from "./testing/rows";
import { eu2, eu3, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();
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

/** The sum of the operator's bank account over all cells. */
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

/** Runs `act` right before the `n`th statement of ours that reads which lines were booked by hand. */
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

it.each([false, true])("is booked once (merchant of the entry moves during the import: %s)", async (moves) => {
  const theirs = await inCell(eu3(), () => makeMerchant());
  const reference = await inCell(eu3(), async () => {
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
  expect((await run(paid, bank)).verdicts).toEqual(["matched", "missing_internal"]);
  const [missing] = await sql(main(), "SELECT id FROM exception WHERE object_id = $1", `b-${reference}`);
  const about = ["--merchant", ours.merchantId, "--exception", String(missing?.["id"])];
  const before = await inBank();
  const { id } = await runCommand("journal", "propose", ...BANK.split(" "), ...about);
  expect(await runCommand("journal", "confirm", "--id", String(id), "--operator", "Ole")).toMatchObject({
    state: "confirmed",
  });
  const byHand = (await inBank()) - before;
  expect(byHand === 1020n || byHand === -1020n).toBe(true);
  expect(await move(ours.merchantId, eu2())).toMatchObject({ phase: "done" });

  let moving: Promise<unknown> = Promise.resolve();
  let leave = () => {};
  if (moves) {
    const mover = holdTwice();
    leave = mover.leave;
    moving = move(ours.merchantId, main());
    await mover.held;
    beforeHandBookings(1, async () => {
      mover.close();
      while ((await fenceIn(eu2(), ours.merchantId)) === null) await sleep(5);
    });
  }
  const met = await run(paid, bank, fee).then(
    () => "done",
    ({ code }: { code?: string }) => code,
  );
  leave();
  await moving;
  expect(met).toBe(moves ? "service_unavailable" : "done");
  await run(paid, bank, fee);
  expect(await inBank()).toBe(before + byHand);
});
