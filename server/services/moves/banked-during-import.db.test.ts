// A bank transfer that is booked by hand for a merchant of another cell while the operator imports its line.
import { AsyncLocalStorage } from "node:async_hooks";
import { expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import type { CallContext } from "@/server/domain/scope";
import { type Cell, inCell } from "@/server/platform/cell";
import { withinMerchant } from "@/server/platform/reach";
import { makeMember, makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import type * as CellsOfLines from "../reconciliation/cells-of-lines";
import { reconcile } from "../reconciliation/reconcile";
import { previewUpload, storeUpload } from "../reconciliation/upload";
import { simulate } from "../sandbox/simulate";
import { eu2, eu3, main, move, sql, threeCells } from "./testing/three-cells";

const hooks = vi.hoisted(() => ({ afterCells: async () => {} }));
vi.mock("../reconciliation/cells-of-lines", async (original) => {
  const own = await original<typeof CellsOfLines>();
  const counted: typeof own.cellsOfLines = async (...given) => {
    const found = await own.cellsOfLines(...given);
    await hooks.afterCells();
    return found;
  };
  return { ...own, cellsOfLines: counted };
});
const outside = AsyncLocalStorage.snapshot();

threeCells();

const SETTLEMENT = { provider: "sandbox", environment: "test", from: null, to: null } as const;
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
const BANK =
  "--environment test --from bank --to provider_clearing --provider sandbox --currency BRL --amount 1020 --operator Eva --evidence seen";

async function run(text: string) {
  const done = await reconcile({ ...SETTLEMENT, name: "f.csv", bytes: new TextEncoder().encode(text) });
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

const SUM = { before: "before", during: "during" } as const;

it.each([
  ["before the import", "stays", SUM.before],
  ["before the import", "has moved", SUM.before],
  ["during the import", "stays", SUM.during],
  ["during the import", "has moved", SUM.during],
])("is booked once: by hand %s, for a merchant that %s", async (_when, where, when) => {
  const { merchantId, context } = await inCell(main(), () => makeMerchant());
  const reference = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "succeeded");
    return intent.id;
  });
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const batch = `b-${reference}`;
  const paid = `l-${reference},payment,${reference},p-${reference},1050,BRL,0,${day},${batch}`;
  const bank = `b-${reference},bank_credit,,x-${reference},1020,BRL,0,${day},${batch}`;
  const fee = `f-${reference},fee,${reference},f-${reference},30,BRL,0,${day},${batch}`;
  const textOf = (...lines: string[]) => `${[HEADER, ...lines].join("\n")}\n`;
  const text = textOf(paid, bank);
  // A member uploads the provider's file before the operator imports it.
  await inCell(main(), async () => {
    const member = await makeMember(merchantId, `finance-${reference}@shop.example`, "finance");
    const of: CallContext = { ...context, actor: { type: "member", id: member } };
    await withinMerchant(merchantId, async () => {
      const file = { provider: "sandbox", name: "m.csv", text };
      const { digest } = await previewUpload(of, file);
      return storeUpload(of, { ...file, digest });
    });
  });
  const home = where === "has moved" ? eu2() : main();
  if (where === "has moved") await move(merchantId, eu2());
  const [missing] = await sql(
    home,
    "SELECT id FROM exception WHERE object_id = $1 AND merchant_id = $2 AND resolved_at IS NULL",
    `b-${reference}`,
    merchantId,
  );
  const before = await inBank();
  const about = ["--merchant", merchantId, "--exception", String(missing?.["id"])];
  const proposed = await runCommand("journal", "propose", ...BANK.split(" "), ...about);
  const byHand = async () => {
    await runCommand("journal", "confirm", "--id", String(proposed["id"]), "--operator", "Ole");
  };
  if (when === SUM.before) await byHand();
  else hooks.afterCells = () => outside(byHand);
  try {
    await run(textOf(paid, bank, fee));
  } finally {
    hooks.afterCells = async () => {};
  }
  const booked = (await inBank()) - before;
  expect([1020n, -1020n]).toContain(booked);
});
