// A journal entry about an exception that is nobody's, where the entry's merchant moves away from the exception.
import { beforeEach, expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { actOf } from "@/server/db/audit/record";
import { findExceptionAcrossMerchants, openException } from "@/server/db/exceptions";
import { findJournalEntryAcrossMerchants, type StoredJournalEntry } from "@/server/db/journal";
import { confirmJournalEntry } from "@/server/db/journal-confirmation";
import { NOBODY } from "@/server/domain/exceptions";
import { inCell } from "@/server/platform/cell";
import { now } from "@/server/platform/clock";
import { withinMerchant } from "@/server/platform/reach";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { applyUpdate } from "../callbacks/apply-update";
import { withoutIdempotency } from "../idempotency/completion";
import { type AnyIntent, findAnyIntent } from "../intent-kinds";
import { namedOperator, operatorContext } from "../merchants/operator";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

const MONEY =
  "--environment test --from provider_clearing --to available --provider sandbox --currency BRL --amount 1050";

let merchantId: string;
let exception: string;

beforeEach(async () => {
  ({ merchantId } = await inCell(main(), () => makeMerchant()));
  exception = await importLine(merchantId);
});

/** The exception of a line that is nobody's, of the operator's settlement file. */
async function importLine(name: string): Promise<string> {
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

/** Confirms an entry as when its intent is not known, such as in a database that was restored to a time before it. */
function confirmUnknown(id: string) {
  return inCell(main(), async () => {
    const entry = (await findJournalEntryAcrossMerchants(id)) as StoredJournalEntry;
    const context = operatorContext(entry.merchantId, entry.environment, namedOperator("Ole"));
    const found = await findExceptionAcrossMerchants(entry.exceptionId ?? "");
    const isLineBooked = () => Promise.resolve(false);
    const work = { context, act: actOf(context), at: now(), exception: found, isLineBooked, about: null };
    await withinMerchant(entry.merchantId, () => confirmJournalEntry(entry, work));
    return findJournalEntryAcrossMerchants(id);
  });
}

async function isResolved(): Promise<boolean> {
  const [row] = await sql(main(), "SELECT resolved_at FROM exception WHERE id = $1", exception);
  return row?.["resolved_at"] !== null;
}

it("after the move cannot be confirmed, since the exception would stay open", async () => {
  const entry = await propose(merchantId);
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await confirm(entry)).toMatchObject({ code: "validation_failed" });
  expect(await isResolved()).toBe(false);
});

it("after the move does not book money that was booked for another merchant meanwhile", async () => {
  const other = await inCell(main(), () => makeMerchant());
  const [first, second] = [await propose(merchantId), await propose(other.merchantId)];
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await confirm(second)).toMatchObject({ state: "confirmed" });
  expect(await isResolved()).toBe(true);
  expect(await confirm(first)).toMatchObject({ code: "validation_failed" });
});

it.each([
  { its: "stays", knows: true },
  { its: "has moved away", knows: true },
  { its: "stays", knows: false },
  { its: "has moved away", knows: false },
])("confirmed before counts as booked if its merchant $its (intent known then: $knows)", async ({ its, knows }) => {
  const merchant = await inCell(main(), () => makeMerchant());
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
    await simulate(merchant.context, intent.id, "failed");
    const fact = { kind: "missing_internal", objectId: intent.id, fact: `line:${intent.id}`, detail: {} } as const;
    await openException({ ...fact, scope: { ...merchant.scope, merchantId: NOBODY } }, now());
    return intent.id;
  });
  const [missing] = await sql(main(), "SELECT id FROM exception WHERE object_id = $1", id);
  exception = String(missing?.["id"]);
  const entry = await propose(merchant.merchantId);
  expect(await (knows ? confirm : confirmUnknown)(entry)).toMatchObject({ state: "confirmed" });
  const cell = its === "stays" ? main() : eu2();
  if (cell === eu2()) await move(merchant.merchantId, cell);

  const report = {
    kind: "succeeded",
    amount: 1050n,
    currency: "BRL",
    receiptId: "r-1",
    providerReference: "px",
  } as const;
  await inCell(cell, async () => {
    const subject = await findAnyIntent(merchant.merchantId, id);
    await applyUpdate(merchant.context, subject as AnyIntent, [report]);
  });
  const booked = "SELECT reason FROM ledger_transaction WHERE merchant_id = $1 AND reason <> 'funding'";
  expect(await sql(cell, booked, merchant.merchantId)).toEqual([{ reason: "journal" }]);
});
