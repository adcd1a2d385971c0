// What two cells must agree in before a merchant passes from one to the other.
import { readClock } from "@/server/db/moves/clock";
import { type CellPause, readDispatch } from "@/server/db/moves/dispatch";
import { type OperatorsNotification, readOperatorsNotifications } from "@/server/db/moves/operators-notifications";
import type { Owner } from "@/server/db/moves/owner";
import { readImportedUntil } from "@/server/db/moves/settlement-files";
import { validationError } from "@/server/domain/errors";
import { NOBODY } from "@/server/domain/exceptions";
import { openDestination } from "../notifications/destination";

/**
 * Claims have leases in the time of their cell. In one whose clock is ahead, a lease ends before its call does; where it is
 * behind, new ids are less than older ones, and lists would show them in the wrong place.
 */
const CLOCKS_DIFFER_BY_MS = 1_000;

/**
 * Throws validation_failed, with what to do, if the clocks of the cells differ by more than 1 s, if payouts of either cell wait
 * after a restore, and if the new cell does not pause what the old one does, does not derive references as the old one does, does
 * not notify the operator of what the old one does, or if one lacks the last settlement file of a provider that the other has.
 */
export async function requireAgreement(from: Owner, to: Owner): Promise<void> {
  await requireSameTime(from, to);
  await requireSameNotifications(from, to);
  await requireSameImports(from, to);
  const [ours, theirs] = await Promise.all([readDispatch(from), readDispatch(to)]);
  for (const { owner, dispatch } of [
    { owner: from, dispatch: ours },
    { owner: to, dispatch: theirs },
  ]) {
    if (!dispatch.isRestored) continue;
    throw validationError(
      owner.cell.name,
      "was restored or failed over, and its payouts wait: reconcile with the providers and run dispatch resume first",
    );
  }
  if (ours.derivesReferences && !theirs.derivesReferences)
    throw validationError(to.cell.name, "does not derive references: run references derive for it first");
  const lost = ours.pauses.find((pause) => !theirs.pauses.some((other) => holdsBack(other, pause)));
  if (!lost) return;
  throw validationError(
    to.cell.name,
    `sends ${nameOf(lost)}, which is paused in ${from.cell.name}: pause it in ${to.cell.name} too, or end that pause`,
  );
}

async function requireSameTime(from: Owner, to: Owner): Promise<void> {
  const [ours, theirs] = await Promise.all([readClock(from), readClock(to)]);
  const aheadMs = theirs.aheadMs - ours.aheadMs;
  const surelyMs = Math.abs(aheadMs) - ours.toleranceMs - theirs.toleranceMs;
  if (surelyMs <= CLOCKS_DIFFER_BY_MS) return;
  const how = `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs > 0 ? "ahead of" : "behind"}`;
  throw validationError(to.cell.name, `has a clock that is ${how} that of ${from.cell.name}: synchronize them first`);
}

/**
 * What the merchant has was compared with the old cell's files, and is compared from now on with those after the new cell's last one.
 * A cell without files of a provider gets those of the other one with its first merchant.
 */
async function requireSameImports(from: Owner, to: Owner): Promise<void> {
  const [ours, theirs] = await Promise.all([readImportedUntil(from), readImportedUntil(to)]);
  for (const one of ours) {
    const other = theirs.find(
      ({ provider, environment }) => provider === one.provider && environment === one.environment,
    );
    if (!other || other.until.getTime() === one.until.getTime()) continue;
    const [behind, ahead] = one.until < other.until ? [from, to] : [to, from];
    throw validationError(
      behind.cell.name,
      `has not imported the last settlement file of ${one.provider} (${one.environment}) that ${ahead.cell.name} has: import it again while both answer`,
    );
  }
}

/** Where the operator receives it: cells seal the same URL differently. */
function targetOf({ id, address, urlSealed }: Pick<OperatorsNotification, "id" | "address" | "urlSealed">): string {
  return address?.toLowerCase() ?? openDestination({ merchantId: NOBODY, id }, "url", urlSealed ?? "");
}

async function requireSameNotifications(from: Owner, to: Owner): Promise<void> {
  const [ours, theirs] = await Promise.all([readOperatorsNotifications(from), readOperatorsNotifications(to)]);
  const keyOf = ({ environment, channel, type, ...where }: OperatorsNotification) =>
    JSON.stringify([environment, channel, type, targetOf(where)]);
  const known = new Set(theirs.map(keyOf));
  const missing = ours.find((one) => !known.has(keyOf(one)));
  if (!missing) return;
  const { environment, type, address } = missing;
  const channel = address === null ? missing.channel : `${missing.channel} to ${address}`;
  throw validationError(
    to.cell.name,
    `does not notify the operator of ${type} by ${channel} in ${environment}, as ${from.cell.name} does: run notifications add, which registers in every cell, and remove what ${from.cell.name} had before`,
  );
}

const holdsBack = (one: CellPause, other: CellPause): boolean =>
  (one.provider === null || one.provider === other.provider) &&
  (one.currency === null || one.currency === other.currency);

function nameOf({ provider, currency }: CellPause): string {
  const what = currency === null ? "everything" : `what is in ${currency}`;
  return provider === null ? what : `${what} to ${provider}`;
}
