// A process that has started since a merchant moved, and has not looked for a moved name yet, while the merchant's former cell goes away.
import { describe, expect, it } from "vitest";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import { settleStaysAtStart, settleStaysOfWorker } from "../cells/settle-stays";
import { withoutIdempotency } from "../idempotency/completion";
import { getPayerView } from "../payer/get-payer-view";
import { createPaymentIntent } from "../payments/create";
import { call } from "./testing/api-call";
import { eu2, eu3, main, move, threeCells } from "./testing/three-cells";

const cells = threeCells();
const AWAY = "postgresql://nobody:x@127.0.0.1:1/none";

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "found",
    (error: { code?: string }) => error.code ?? "an error without a code",
  );

/** Makes a merchant with a key and a payment, and moves it to one cell after the other. */
async function moved(from: Cell, ...cellsAfter: readonly Cell[]) {
  const merchant = await inCell(from, () => makeMerchant());
  const made = await inCell(from, async () => ({
    key: await createApiKey(merchant.context, "Shop"),
    id: (await createPaymentIntent(merchant.context, payment(), withoutIdempotency())).intent.id,
  }));
  for (const to of cellsAfter) expect(await move(merchant.merchantId, to)).toMatchObject({ phase: "done" });
  return made;
}

describe("its merchant, which is in a cell that answers, is served", () => {
  it.each([
    ["eu2", () => moved(eu2(), eu3()), [null, AWAY]],
    ["main", () => moved(main(), eu3()), [AWAY]],
    ["eu2, which it has only passed,", () => moved(main(), eu2(), eu3()), [null, AWAY]],
  ] as const)("while %s, which it left, is away", async (_name, make, urls) => {
    const { key, id } = await make();
    // As a process does at its start, and a worker every five seconds.
    await settleStaysAtStart();
    await inCell(allCells()[0], settleStaysOfWorker);
    await cells.pointTo(urls);
    const page = await codeOf(getPayerView(id));
    const { status } = await call(key, { method: "GET", path: "/wallets" });
    expect({ page, status }).toEqual({ page: "found", status: 200 });
  });
});
