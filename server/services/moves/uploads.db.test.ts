// Files that a merchant's members uploaded, and that lines of others name: they are kept where those lines are.
import { beforeEach, expect, it } from "vitest";
import type { CallContext } from "@/server/domain/scope";
import { type Cell, inCell } from "@/server/platform/cell";
import { withinMerchant } from "@/server/platform/reach";
import { makeMember, makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { previewUpload, storeUpload } from "../reconciliation/upload";
import { simulate } from "../sandbox/simulate";
import { abort, eu2, eu3, killedAt, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

/** The merchant whose member uploaded a line that the operator's import has made nobody's again. */
let merchantId: string;
/** The id of that line. */
let lineId: string;

beforeEach(async () => {
  const merchant = await inCell(main(), () => makeMerchant());
  ({ merchantId } = merchant);
  const id = await inCell(main(), async () => {
    // A member may only upload files of a provider that has moved money of the merchant.
    const { intent: paid } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await simulate(merchant.context, paid.id, "succeeded");
    return (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent.id;
  });
  lineId = `u-${id}`;
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
  const text = `${header}\n${lineId},payment,${id},p,1050,BRL,7,${new Date(Date.now() - 3_600_000).toISOString()}\n`;
  const file = { provider: "sandbox", name: "f.csv", text };
  await inCell(main(), async () => {
    const member = await makeMember(merchantId, "finance@shop.example", "finance");
    const context: CallContext = { ...merchant.context, actor: { type: "member", id: member } };
    await withinMerchant(merchantId, async () => {
      const { digest } = await previewUpload(context, file);
      await storeUpload(context, { ...file, digest });
    });
  });
  // The payment fails over to another provider.
  await sql(
    main(),
    `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = 'other', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
  );
  const bytes = new TextEncoder().encode(text);
  await reconcile({ provider: "sandbox", environment: "test", name: "f.csv", bytes, from: null, to: null });
});

/** The merchants of lines with that id in a cell, and the names of their files. */
const linesIn = (cell: Cell) =>
  sql(
    cell,
    `SELECT l.merchant_id AS merchant, f.name AS file FROM settlement_line l
     LEFT JOIN settlement_file f ON (f.provider, f.id) = (l.provider, l.file_id) WHERE l.line_id = $1`,
    lineId,
  );

const filesIn = async (cell: Cell) =>
  (await sql(cell, "SELECT id FROM settlement_file WHERE uploaded_for = $1", merchantId)).length;

/** Makes a table's foreign keys again as the restore of a dump does, which fails if a row lacks what they demand. */
async function makeForeignKeysAgain(cell: Cell, table: string): Promise<void> {
  const statements = await sql(
    cell,
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I %s',
                   conrelid::regclass, conname, conname, pg_get_constraintdef(oid)) AS text
     FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'f'`,
    table,
  );
  expect(statements).not.toEqual([]);
  for (const { text } of statements) await sql(cell, `BEGIN; ${String(text)}; ROLLBACK`);
}

/** The first cell has the line with its file, and a dump of it can be restored. */
async function requireKept(): Promise<void> {
  expect(await linesIn(main())).toEqual([{ merchant: null, file: "f.csv" }]);
  for (const table of ["settlement_line", "settlement_file"]) await makeForeignKeysAgain(main(), table);
}

it("a file stays in the old cell while a line there names it", async () => {
  await requireKept();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await requireKept();
  expect([await filesIn(main()), await filesIn(eu2())]).toEqual([1, 1]);
});

it("a file that stayed does not keep the merchant from coming back, being aborted, or moving on", async () => {
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await killedAt(/AS name, count/, merchantId, main());
  expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
  await requireKept();
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  await requireKept();
  expect(await filesIn(eu2())).toBe(0);
  expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
  await requireKept();
  expect(await filesIn(eu3())).toBe(1);
});
