// The operator's act in the merchant's audit chain, wherever the chain is then.
import { recordUnlessRecent } from "@/server/db/audit/record";
import { inOtherCell } from "@/server/platform/cell";
import { withinMerchant } from "@/server/platform/reach";
import { operatorAct } from "@/server/services/merchants/operator";
import type { OpenMove } from "./move";

/** A move takes less. */
const YEAR_MS = 365 * 86_400_000;

/** Writes the entry once, however often the phase is repeated. */
export async function recordMove(
  { record, merchantId, from, to }: OpenMove,
  action: "merchant.move_begin" | "merchant.move_end" | "merchant.move_abort",
): Promise<void> {
  const cell = action === "merchant.move_end" ? to.cell : from.cell;
  const event = {
    merchantId,
    environment: null,
    action,
    objectId: merchantId,
    before: { cell: from.cell.name },
    after: { cell: action === "merchant.move_abort" ? from.cell.name : to.cell.name, move: record.id },
  };
  const write = () => recordUnlessRecent(event, { move: record.id }, operatorAct(), YEAR_MS);
  await inOtherCell(cell, () => withinMerchant(merchantId, write));
}
