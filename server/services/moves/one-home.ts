// Before a command works on a move: the merchant must be open in one cell at most, as all cells say, and in its last state.
import { ServiceError, validationError } from "@/server/domain/errors";
import type { Cell } from "@/server/platform/cell";
import { type LocatedPresence, newestResidence, readPresences } from "../cells/presences";

/**
 * Returns the number of the merchant's next stay. Throws service_unavailable if a cell does not answer, since the merchant may be
 * there; validation_failed if it is open in two cells, or was, and nobody has looked at what it did in the older one; also if the
 * old cell does not have it, or a cell has it in a state from before it left another one, so that its last rows may be elsewhere.
 */
export async function requireOneHome(merchantId: string, source: Cell): Promise<number> {
  const { byMerchant, absent } = await readPresences([merchantId]);
  const [away] = absent;
  if (away) throw new ServiceError("service_unavailable", `The cell ${away.name} does not answer.`, 1);
  const places = byMerchant.get(merchantId) ?? [];
  const homes = places.filter(({ isResident }) => isResident).map(({ cell }) => cell.name);
  if (homes.length > 1)
    throw validationError(
      "the merchant",
      `is open in ${homes.join(" and ")}: a worker closes the older one within seconds`,
    );
  const old = places.find(({ overtakenAt }) => overtakenAt !== null);
  if (old)
    throw validationError(
      "the merchant",
      `was open in ${old.otherCell} and, in an earlier state, in ${old.cell.name}: look at what it did there, then run merchants drop-copy`,
    );
  requireLastState(places, source);
  return 1 + Math.max(...places.flatMap(({ stay, nextStay }) => [stay, nextStay ?? 0]));
}

/**
 * The cell that has the merchant, if it is neither of those two and all cells agree on it; else null. Throws like `requireOneHome`
 * if they do not agree.
 */
export async function findThirdCell(
  merchantId: string,
  { fromCell, toCell }: { readonly fromCell: string; readonly toCell: string },
): Promise<Cell | null> {
  const { byMerchant } = await readPresences([merchantId]);
  const home = newestResidence(byMerchant.get(merchantId) ?? [])?.cell;
  if (!home || home.name === fromCell || home.name === toCell) return null;
  await requireOneHome(merchantId, home);
  return home;
}

/** What is copied over or removed must not be the last rows of the merchant, which another cell has lost by a restore. */
function requireLastState(places: readonly LocatedPresence[], source: Cell): void {
  const from = places.find(({ cell }) => cell.name === source.name);
  if (!from?.isResident && from?.state !== "left") throw isNotIn(source);
  const home = newestResidence(places);
  const later = places.find(({ state, nextStay }) => home && state === "left" && (nextStay ?? 0) > home.stay);
  if (home && later) throw isOlderIn(home.cell, later.cell);
}

/** A cell lacks the merchant that should have it: it was restored, or the record of the move was. */
export function isNotIn({ name }: Cell): ServiceError {
  return validationError(
    "the merchant",
    `is not in ${name}, as its move says: a cell was restored or failed over. Nothing is copied or removed. See "A cell lacks a move" in docs/operating.md`,
  );
}

/** The cell was restored to a stay before the one that began when the merchant left the other cell. */
export function isOlderIn(home: Cell, later: Cell): ServiceError {
  return validationError(
    "the merchant",
    `is in ${home.name} in a state from before it left ${later.name}: ${home.name} was restored or failed over. Nothing is copied or removed. See "A cell lacks a move" in docs/operating.md`,
  );
}
