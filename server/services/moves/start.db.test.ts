// A start while the only merchant of a cell is closed for a move, or has left it.
import { expect, it } from "vitest";
import { hasMerchantsAcrossAll } from "@/server/db/merchants";
import { fence } from "@/server/db/testing/move-by-hand";
import { inCell } from "@/server/platform/cell";
import { eu2, eu3, makeOne, threeCells } from "./testing/three-cells";

threeCells();

it("does not take a cell for new whose merchant is leaving, or has left", async () => {
  const merchant = await makeOne(eu3());
  for (const state of ["leaving", "left"] as const) {
    await fence(eu3(), merchant, state, eu2());
    expect(await inCell(eu3(), hasMerchantsAcrossAll)).toBe(true);
  }
});
