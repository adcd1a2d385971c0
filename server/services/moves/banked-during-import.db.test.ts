// A bank transfer that is booked by hand while the operator imports its line. Only the cell that decides on the line may book it.
import { AsyncLocalStorage } from "node:async_hooks";
import { expect, it, vi } from "vitest";
import type * as CellsOfLines from "../reconciliation/cells-of-lines";
import {
  confirmTransfer,
  importLines,
  inBank,
  makeBankBatch,
  proposeTransfer,
  TRANSFERRED,
  uploadPart,
} from "./testing/bank-batch";
import { eu2, main, move, threeCells } from "./testing/three-cells";

const hooks = vi.hoisted(() => ({ afterCells: async () => {} }));
vi.mock("../reconciliation/cells-of-lines", async (original) => {
  const own = await original<typeof CellsOfLines>();
  const hooked: typeof own.cellsOfLines = async (...given) => {
    const found = await own.cellsOfLines(...given);
    await hooks.afterCells();
    return found;
  };
  return { ...own, cellsOfLines: hooked };
});
const outside = AsyncLocalStorage.snapshot();

threeCells();

it.each([
  ["before the import", "stays"],
  ["before the import", "has moved"],
  ["during the import", "stays"],
  ["during the import", "has moved"],
])("is booked once: by hand %s, for a merchant that %s", async (when, where) => {
  const batch = await makeBankBatch(main());
  const { merchantId, paid, bank, fee } = batch;
  await uploadPart(batch);
  const proposed = await proposeTransfer(merchantId, batch, main(), merchantId);
  if (where === "has moved") await move(merchantId, eu2());
  const before = await inBank();
  const result = where === "has moved" ? { code: "validation_failed" } : { state: "confirmed" };
  const byHand = async () => expect(await confirmTransfer(proposed)).toMatchObject(result);
  if (when === "before the import") await byHand();
  else hooks.afterCells = () => outside(byHand);
  try {
    await importLines(paid, bank, fee);
  } finally {
    hooks.afterCells = async () => {};
  }
  expect(before - (await inBank())).toBe(TRANSFERRED);
});
