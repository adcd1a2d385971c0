// Before a command works on a move: the merchant must be open in one cell at most, as all cells say.
import { ServiceError, validationError } from "@/server/domain/errors";
import { readPresences } from "../cells/presences";

/**
 * Returns the number of the merchant's next stay. Throws service_unavailable if a cell does not answer, since the merchant may be
 * there; validation_failed if it is open in two cells, or was, and nobody has looked at what it did in the older one.
 */
export async function requireOneHome(merchantId: string): Promise<number> {
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
  return 1 + Math.max(...places.flatMap(({ stay, nextStay }) => [stay, nextStay ?? 0]));
}
