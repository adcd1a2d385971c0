// Names of a merchant from before lead from each cell that it has passed to the one that has it. After a restore, they may lead
// nowhere from there, or in a circle.
import { leadToLaterStayAcrossMerchants } from "@/server/db/merchant-stays";
import { log } from "@/server/platform/log";
import type { LocatedPresence } from "./presences";

/** Whether names lead from the place to the residence, along the fences. */
function leadsTo(place: LocatedPresence, residence: LocatedPresence, places: readonly LocatedPresence[]): boolean {
  const visited = new Set<LocatedPresence>();
  let at: LocatedPresence | undefined = place;
  while (at && at !== residence && !visited.has(at)) {
    visited.add(at);
    const { otherCell }: LocatedPresence = at;
    at = places.find(({ cell }) => cell.name === otherCell);
  }
  return at === residence;
}

/** Whether any cell knows that the merchant was once in this one. */
const wasAt = ({ cell }: LocatedPresence, places: readonly LocatedPresence[]): boolean =>
  places.some(
    ({ fromCells, state, otherCell }) => fromCells.includes(cell.name) || (state === "left" && otherCell === cell.name),
  );

/** Repairs the way from the running work's cell, where the merchant is not, to where it is. All cells must have answered. */
export async function leadOn(
  own: LocatedPresence,
  residence: LocatedPresence,
  places: readonly LocatedPresence[],
): Promise<void> {
  const isPassed = own.state === "left" || (own.state === null && wasAt(own, places));
  if (own.isResident || !isPassed || leadsTo(own, residence, places)) return;
  // Else the residence is an earlier state, and the later one is lost.
  if (places.some(({ state, nextStay }) => state === "left" && (nextStay ?? 0) > residence.stay)) return;
  const { merchantId, cell } = own;
  if (!(await leadToLaterStayAcrossMerchants(merchantId, residence.cell.name, residence.stay))) return;
  log().warn(
    { merchant: merchantId, cell: cell.name, other_cell: residence.cell.name },
    "a restored cell did not know where a merchant is: its names lead there again",
  );
}
