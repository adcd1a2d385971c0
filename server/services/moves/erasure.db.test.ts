// A payer is erased while a killed move, or a restore, has left rows of the merchant in two cells.
import { describe, expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { settleStays } from "../cells/settle-stays";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { fenceIn } from "./testing/rows";
import { abort, eu2, eu3, killedAt, main, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

/** A merchant with a payment of the payer. */
async function makePayer(cell: Cell): Promise<string> {
  const { merchantId, context } = await inCell(cell, () => makeMerchant());
  await inCell(cell, async () => {
    const customer = { name: "Ana Souza", email: "ana@payer.example", reference: "payer-1" };
    const { intent } = await createPaymentIntent(context, payment({ customer }), withoutIdempotency());
    await simulate(context, intent.id, "succeeded");
  });
  return merchantId;
}

const erase = (merchantId: string) => runCommand("payers", "erase", "--merchant", merchantId, "--reference", "payer-1");
const drop = (merchantId: string, from: Cell) =>
  runCommand("merchants", "drop-copy", "--merchant", merchantId, "--from", from.name);

/** The names of the cells that still name the payer. */
async function namedIn(merchantId: string): Promise<string[]> {
  const named = "SELECT id FROM payment_intent WHERE merchant_id = $1 AND customer IS NOT NULL";
  const found = allCells().map(async (cell) => ((await sql(cell, named, merchantId)).length > 0 ? [cell.name] : []));
  return (await Promise.all(found)).flat();
}

/** Expects that an erasure is refused with that, and that it erases the payer everywhere after `drop-copy` in the cell. */
async function expectErasedAfterDrop(merchantId: string, from: Cell): Promise<void> {
  const refused = await erase(merchantId);
  expect(refused).toMatchObject({ code: "validation_failed" });
  expect(refused["message"]).toContain(`merchants drop-copy --merchant ${merchantId} --from ${from.name}`);
  expect(await drop(merchantId, from)).toMatchObject({ removed_from: from.name });
  expect(await erase(merchantId)).toMatchObject({ payments_erased: 1 });
  expect(await namedIn(merchantId)).toEqual([]);
}

it("is refused until the move is finished, and erases the payer from both", async () => {
  const merchantId = await makePayer(main());
  await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
  expect(await erase(merchantId)).toMatchObject({ code: "validation_failed" });
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await erase(merchantId)).toMatchObject({ payments_erased: 1 });
  expect(await namedIn(merchantId)).toEqual([]);
});

describe("is refused, and says what to do,", () => {
  it("while a restored cell has the rows of an older stay", async () => {
    const merchantId = await makePayer(main());
    const earlier = await cells.backUp(main());
    expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
    await cells.pointTo([earlier]);
    // Before a worker has closed the older copy.
    expect(await erase(merchantId)).toMatchObject({ code: "validation_failed" });
    await inEachCell(settleStays);
    expect(await fenceIn(main(), merchantId)).toBe("left eu2");
    await expectErasedAfterDrop(merchantId, main());
  });

  it("while a cell was restored to between the departure and the removal of the rows", async () => {
    const merchantId = await makePayer(eu2());
    await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, main());
    const between = await cells.backUp(eu2());
    expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
    await cells.pointTo([null, between]);
    for (let round = 0; round < 2; round += 1) await inEachCell(settleStays);
    expect(await fenceIn(eu2(), merchantId)).toBe("left main");
    await expectErasedAfterDrop(merchantId, eu2());
  });

  it("while a cell was restored to the middle of an arrival", async () => {
    const merchantId = await makePayer(main());
    await killedAt(/count\(\*\)::int AS count FROM api_key/, merchantId, eu2());
    const middle = await cells.backUp(eu2());
    expect(await abort(merchantId)).toMatchObject({ phase: "aborted" });
    await cells.pointTo([null, middle]);
    const refused = await erase(merchantId);
    expect(refused).toMatchObject({ code: "validation_failed" });
    expect(refused["message"]).toContain("docs/operating.md");
    expect(await namedIn(merchantId)).toEqual(["main", "eu2"]);
  });

  it("while a cell does not answer, which may have them", async () => {
    const merchantId = await makePayer(main());
    await cells.pointTo([null, null, "postgresql://nobody:x@127.0.0.1:1/none"]);
    expect(await erase(merchantId)).toMatchObject({
      code: "service_unavailable",
      message: `The cell ${eu3().name} does not answer.`,
    });
    await cells.pointTo();
    expect(await erase(merchantId)).toMatchObject({ payments_erased: 1 });
  });
});
