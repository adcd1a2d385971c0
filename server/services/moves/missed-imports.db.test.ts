// A cell was away when a settlement file was imported: what its merchants have was not compared with that file yet.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { type Cell, inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { importLines } from "./testing/bank-batch";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
const AWAY = "postgresql://nobody:x@127.0.0.1:1/none";

async function makePayment(cell: Cell) {
  const { merchantId, context } = await inCell(cell, () => makeMerchant());
  const id = await inCell(cell, async () => {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "succeeded");
    return intent.id;
  });
  return { merchantId, id };
}

it.each([
  ["leaves it", () => [eu2(), main()] as const],
  ["comes to it", () => [main(), eu2()] as const],
])("a merchant that %s moves once the file is imported there, and nothing is overlooked", async (_, cellsOf) => {
  const [from, to] = cellsOf();
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
  const line = ({ id }: { id: string }, settled: string) => `l-${id},payment,${id},p-${id},1050,BRL,0,${settled},`;
  const [earlier, other] = [await makePayment(main()), await makePayment(main())];
  await importLines(line(earlier, at(-7_200)));
  const [forgotten, moving] = [await makePayment(eu2()), await makePayment(from)];
  const second = line(other, at(60));
  await cells.pointTo([null, AWAY]);
  await importLines(second);
  await cells.pointTo();
  expect(await move(moving.merchantId, to)).toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining("eu2 has not imported the last settlement file of sandbox (test)") as string,
  });
  await importLines(second);
  expect(await move(moving.merchantId, to)).toMatchObject({ phase: "done" });
  for (const { merchantId, id } of [forgotten, moving])
    expect((await runCommand("exceptions", "list", "--merchant", merchantId))["data"]).toMatchObject([
      { kind: "missing_external", object_id: id },
    ]);
});

it("a file that only a moved line has brought counts as not imported", async () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
  const line = ({ id }: { id: string }, settled: string) => `l-${id},payment,${id},p-${id},1050,BRL,0,${settled},`;
  const [earlier, moving, later] = [await makePayment(main()), await makePayment(main()), await makePayment(main())];
  await importLines(line(earlier, at(70)));
  await cells.pointTo([null, AWAY]);
  await importLines(line(moving, at(80)));
  await cells.pointTo();
  await importLines(line(later, at(90)));
  expect(await move(moving.merchantId, eu2())).toMatchObject({ phase: "done" });
  const brought =
    "SELECT l.line_id FROM settlement_line l JOIN settlement_file f ON f.id = l.file_id WHERE f.is_brought";
  expect(await sql(eu2(), brought)).toEqual([{ line_id: `l-${moving.id}` }]);
});
