// Two entries about one line of a settlement file, of merchants in two cells, that two operators confirm at the same moment.
import { AsyncLocalStorage } from "node:async_hooks";
import { Client } from "pg";
import { afterEach, expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import type { CallContext } from "@/server/domain/scope";
import { type Cell, inCell } from "@/server/platform/cell";
import { withinMerchant } from "@/server/platform/reach";
import { makeMember, makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { previewUpload, storeUpload } from "../reconciliation/upload";
import { simulate } from "../sandbox/simulate";
import { eu2, eu3, main, move, sql, threeCells } from "./testing/three-cells";

const outside = AsyncLocalStorage.snapshot();
threeCells();
const ownQuery = Client.prototype.query;
afterEach(() => {
  Client.prototype.query = ownQuery;
});

const SETTLEMENT = { provider: "sandbox", environment: "test", from: null, to: null } as const;
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
const BANK =
  "--environment test --from bank --to provider_clearing --provider sandbox --currency BRL --amount 1020 --evidence seen";

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

/** Runs `act` once, right before a confirmation is written: after it has looked whether the line is booked. */
function beforeDecision(act: () => Promise<unknown>): void {
  let isDone = false;
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    const text = String((given[0] as { text?: string } | undefined)?.text ?? given[0]);
    if (isDone || !text.includes("UPDATE journal_entry")) return ownQuery.apply(this, given as never) as never;
    isDone = true;
    void outside(act).then(() => ownQuery.apply(this, given as never));
    return given[0] as never;
  } as never;
}

it.each(["stays", "has moved"])("are booked once: a merchant that uploaded the line %s", async (where) => {
  const ours = await inCell(main(), () => makeMerchant());
  const theirs = await inCell(main(), () => makeMerchant());
  const { merchantId, context } = theirs;
  const reference = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "succeeded");
    return intent.id;
  });
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const batch = `b-${reference}`;
  const paid = `l-${reference},payment,${reference},p-${reference},1050,BRL,0,${day},${batch}`;
  const bank = `b-${reference},bank_credit,,x-${reference},1020,BRL,0,${day},${batch}`;
  const text = `${[HEADER, paid, bank].join("\n")}\n`;
  await inCell(main(), async () => {
    const member = await makeMember(merchantId, `finance-${reference}@shop.example`, "finance");
    const of: CallContext = { ...context, actor: { type: "member", id: member } };
    await withinMerchant(merchantId, async () => {
      const file = { provider: "sandbox", name: "m.csv", text };
      const { digest } = await previewUpload(of, file);
      return storeUpload(of, { ...file, digest });
    });
  });
  await reconcile({ ...SETTLEMENT, name: "f.csv", bytes: new TextEncoder().encode(text) });
  const home = where === "has moved" ? eu2() : main();
  if (where === "has moved") await move(merchantId, eu2());
  const exceptionOf = async (cell: Cell, owner: string) => {
    const [row] = await sql(
      cell,
      "SELECT id FROM exception WHERE object_id = $1 AND merchant_id = $2 AND resolved_at IS NULL",
      `b-${reference}`,
      owner,
    );
    return String(row?.["id"]);
  };
  const propose = async (owner: string, exception: string) => {
    const about = ["--merchant", owner, "--exception", exception, "--operator", "Eva"];
    return String((await runCommand("journal", "propose", ...BANK.split(" "), ...about))["id"]);
  };
  const one = await propose(ours.merchantId, await exceptionOf(main(), ""));
  const other = await propose(merchantId, await exceptionOf(home, merchantId));
  const before = await inBank();
  const confirm = (id: string) => runCommand("journal", "confirm", "--id", id, "--operator", "Ole");
  let second: Promise<unknown> = Promise.resolve();
  beforeDecision(async () => {
    second = confirm(other);
    await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 1_500))]);
  });
  await confirm(one);
  await second;
  const booked = (await inBank()) - before;
  expect([1020n, -1020n]).toContain(booked);
});
