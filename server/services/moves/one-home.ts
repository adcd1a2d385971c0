// Before a command works on a move: the merchant must be open in one cell at most, as all cells say.
import { ServiceError, validationError } from "@/server/domain/errors";
import type { Cell } from "@/server/platform/cell";
import { readPresences } from "../cells/presences";

/**
 * Returns the number of the merchant's next stay. Throws service_unavailable if a cell does not answer, since the merchant may be
 * there; validation_failed if it is open in two cells, or was closed in the old cell because it is in another.
 */
export async function requireOneHome(merchantId: string, from: Cell): Promise<number> {
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
  const old = places.find(({ cell }) => cell.name === from.name);
  if (old?.overtakenAt)
    throw validationError(
      "the merchant",
      `was open in ${old.otherCell} and, in an earlier state, in ${from.name}: look at what it did there, then run merchants drop-copy`,
    );
  return 1 + Math.max(...places.flatMap(({ stay, nextStay }) => [stay, nextStay ?? 0]));
}
