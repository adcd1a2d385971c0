// The operator's control of dispatch: pausing, resuming, and the check at startup.
import { retryHandedOverAcrossMerchants } from "@/server/db/callback-receipt";
import {
  endPauses,
  hasOpenIntents,
  insertPause,
  noteDatabaseIdentity,
  type Pause,
  type PauseScope,
  type Pauses,
  readPauses,
} from "@/server/db/dispatch-pauses";
import { isKnownCurrency } from "@/server/domain/currencies";
import { ServiceError, validationError } from "@/server/domain/errors";
import { allCells, currentCell, inOtherCell } from "@/server/platform/cell";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { gatewayByName } from "@/server/psp/registry";
import { requireSettledStays } from "../cells/settle-stays";
import { operatorAct } from "../merchants/operator";
import { merchantSettings } from "../merchants/settings";
import { forgetPauses, warnOfRestore } from "./paused";

export type { Pause, PauseScope, Pauses } from "@/server/db/dispatch-pauses";

const LONGEST_REASON = 512;

function requireReason(reason: string): void {
  const length = [...reason].length;
  if (length < 1 || length > LONGEST_REASON) {
    throw validationError("reason", `must have 1 to ${LONGEST_REASON} characters`);
  }
}

/** Rejects a scope that matches nothing because of a typing error: its pause would have no effect. */
async function requireKnownScope({ provider, merchantId, currency }: PauseScope): Promise<void> {
  if (provider !== null && !gatewayByName(provider) && !(await hasOpenIntents(provider))) {
    throw validationError("provider", "must name a configured provider, or one that has open intents");
  }
  if (merchantId !== null) await merchantSettings(merchantId);
  if (currency !== null && !isKnownCurrency(currency)) {
    throw validationError("currency", "must be a known upper-case currency code");
  }
}

/**
 * Stops sending in the scope: in this process at once, in others within a second. Payouts wait, payments and top-ups
 * are created and wait. Polls of sent intents continue. Throws validation_failed for an unknown provider or currency,
 * and not_found for an unknown merchant.
 */
export async function pauseDispatch(scope: PauseScope, reason: string): Promise<Pause> {
  requireReason(reason);
  await requireKnownScope(scope);
  const act = operatorAct();
  const id = await insertPause(scope, reason, act);
  forgetPauses();
  log().warn({ id, ...scope, reason }, "dispatch was paused");
  return { id, ...scope, reason, pausedBy: `${act.actor.type}:${act.actor.id}`, pausedAt: act.at };
}

/**
 * Ends the pauses of exactly that scope and makes waiting intents due; returns the pauses' ids. The scope of everything
 * also releases payouts of a restored database, once all other cells have said which merchants have moved to them, and lets them hand
 * over again what callbacks they have handed over. Throws
 * not_found if a narrower scope has no pause, and service_unavailable while another cell of a restored one does not answer.
 */
export async function resumeDispatch(scope: PauseScope, reason: string): Promise<readonly string[]> {
  requireReason(reason);
  const isNarrow = scope.provider !== null || scope.merchantId !== null || scope.currency !== null;
  if (!isNarrow && (await readPauses()).isRestored) {
    await requireSettledStays();
    await retryHandedOver();
  }
  const ended = await endPauses(scope, reason, operatorAct());
  forgetPauses();
  if (ended.length === 0 && isNarrow) {
    throw new ServiceError("not_found", "No open pause has exactly this scope; `dispatch show` lists the open pauses.");
  }
  log().warn({ ids: ended, ...scope, reason }, "dispatch was resumed");
  return ended;
}

/** The restored cell may have lost callbacks that other cells have handed over to it: they try them again. */
async function retryHandedOver(): Promise<void> {
  for (const cell of allCells())
    if (cell.name !== currentCell().name) await inOtherCell(cell, retryHandedOverAcrossMerchants);
}

/** Returns all pauses with their reasons; `isOn` is this process's DISPATCH setting. */
export async function showDispatch(): Promise<Pauses & { readonly isOn: boolean }> {
  return { ...(await readPauses()), isOn: env().dispatch === "on" };
}

/** Runs at startup: records the database's identity and logs warnings about pauses. */
export async function prepareDispatch(): Promise<void> {
  await noteDatabaseIdentity();
  const found = await readPauses();
  if (found.identity === null) {
    log().warn(
      "the timeline of the database cannot be read; after a restore, start with DISPATCH=off until you have reconciled",
    );
  }
  if (found.isRestored) warnOfRestore(found);
  if (found.open.length > 0) log().warn({ pauses: found.open }, "dispatch is partly paused");
  if (env().dispatch === "off") log().warn("DISPATCH=off: new intents are not sent to providers");
}
