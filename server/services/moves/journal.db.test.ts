// A journal entry about an exception that is nobody's, after the entry's merchant has moved away from the exception.
import { beforeEach, expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { inCell } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
import { reconcile } from "../reconciliation/reconcile";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

const MONEY =
  "--environment test --from provider_clearing --to available --provider sandbox --currency BRL --amount 1050";

let merchantId: string;
let exception: string;

beforeEach(async () => {
  ({ merchantId } = await inCell(main(), () => makeMerchant()));
  exception = await openException(merchantId);
});

/** The exception of a line that is nobody's, of the operator's settlement file. */
async function openException(name: string): Promise<string> {
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const bytes = new TextEncoder().encode(`${header}\n${name},payment,unknown,p-${name},1050,BRL,0,${day},b\n`);
  await reconcile({ provider: "sandbox", environment: "test", name: `${name}.csv`, bytes, from: null, to: null });
  const [newest] = await sql(main(), "SELECT id FROM exception WHERE merchant_id = '' ORDER BY id DESC LIMIT 1");
  return String(newest?.["id"]);
}

async function propose(merchant: string): Promise<string> {
  const about = ["--merchant", merchant, "--exception", exception, "--operator", "Eva", "--evidence", "seen"];
  const { id } = await runCommand("journal", "propose", ...MONEY.split(" "), ...about);
  return String(id);
}

const confirm = (id: string) => runCommand("journal", "confirm", "--id", id, "--operator", "Ole");

async function isResolved(): Promise<boolean> {
  const [row] = await sql(main(), "SELECT resolved_at FROM exception WHERE id = $1", exception);
  return row?.["resolved_at"] !== null;
}

it("cannot be confirmed, since the exception would stay open", async () => {
  const entry = await propose(merchantId);
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await confirm(entry)).toMatchObject({ code: "validation_failed" });
  expect(await isResolved()).toBe(false);
});

it("does not book money that was booked for another merchant meanwhile", async () => {
  const other = await inCell(main(), () => makeMerchant());
  const [first, second] = [await propose(merchantId), await propose(other.merchantId)];
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await confirm(second)).toMatchObject({ state: "confirmed" });
  expect(await isResolved()).toBe(true);
  expect(await confirm(first)).toMatchObject({ code: "validation_failed" });
});
