// Confirms or rejects a proposed journal entry: another operator confirms it, any operator rejects it.
import { actOf } from "@/server/db/audit/record";
import { findExceptionAcrossMerchants, type StoredException } from "@/server/db/exceptions";
import {
  findJournalEntryAcrossMerchants,
  rejectJournalEntry as rejectRow,
  type StoredJournalEntry,
} from "@/server/db/journal";
import { confirmJournalEntry as confirmRow } from "@/server/db/journal-confirmation";
import { openAccounts } from "@/server/db/wallets";
import { insufficientBalanceError, ServiceError, validationError } from "@/server/domain/errors";
import type { Actor } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { isId } from "@/server/platform/ids";
import { withinMerchant } from "@/server/platform/reach";
import { differsFromProposal } from "../audit/proposal-digest";
import { namedOperator, operatorAct, operatorContext } from "../merchants/operator";
import { merchantClock } from "../merchants/settings";
import { isAsProposed } from "./digest";
import { requireEndedIntent } from "./ended-intent";
import { inAnotherCell, isLineBooked, lineIsBooked, requireDecidedHere } from "./line-booked";
import { requireNobodys } from "./nobodys-exception";
import { sumIsBooked } from "./propose";

/**
 * Books the entry and resolves its exception, in one commit. Throws not_found; approval_required for the operator who
 * proposed it; insufficient_balance; validation_failed if the entry or its exception is already decided, or the entry
 * differs from the proposal. Also throws validation_failed if it is about an open intent, if its exception is in a cell that the
 * merchant has left, if anything about the intent was booked after the proposal, or if its sum is booked and it is not additional.
 */
export async function confirmJournalEntry(id: string, operator: string): Promise<StoredJournalEntry> {
  const actor = namedOperator(operator);
  const entry = await requireProposed(id);
  return withinMerchant(entry.merchantId, () => confirmEntry(entry, actor));
}

async function confirmEntry(entry: StoredJournalEntry, actor: Actor): Promise<StoredJournalEntry> {
  const { id, merchantId, environment, exceptionId } = entry;
  if (actor.id === entry.proposedBy) {
    throw new ServiceError("approval_required", "The operator who proposed a journal entry cannot confirm it.");
  }
  if (!isAsProposed(entry)) throw differsFromProposal("id", "a journal entry");
  const context = operatorContext(merchantId, environment, actor);
  const exception = exceptionId === null ? null : await requireException(exceptionId);
  // A release that did not check this at the proposal may have stored the entry.
  const objectId = exception?.objectId ?? entry.objectId;
  const intent =
    objectId === null ? null : await requireEndedIntent(entry, objectId, exception ? "exception" : "about");
  if (intent === null && objectId !== null) await requireNobodys(environment, objectId, entry.isAdditional);
  await openAccounts(context.scope, entry.currency);
  const at = (await merchantClock(context.scope))();
  // The proposal's time by the merchant's clock, which runs ahead of ours in the sandbox.
  const since = new Date(entry.proposedAt.getTime() + at.getTime() - now().getTime());
  const about = intent && { intent, since };
  // The merchant may have moved since the proposal.
  if (exception && !entry.isAdditional) await requireDecidedHere(exception, intent !== null, "id");
  const isBooked = async () => exception !== null && (await isLineBooked(exception, intent !== null));
  const confirmation = { context, act: actOf(context), at, exception, isLineBooked: isBooked, about };
  const verdict = await confirmRow(entry, confirmation);
  if (verdict === "committed") return requireEntry(id);
  if (verdict === "insufficient_balance") throw insufficientBalanceError();
  if (verdict === "decided_before") throw decidedAlready();
  if (verdict === "guard_failed") {
    throw new ServiceError("service_unavailable", "The books of the intent are changing too quickly; retry.", 1);
  }
  if (verdict === "booked_since") {
    throw validationError(
      "id",
      "was proposed before something else about its intent was booked; reject it and check the books",
    );
  }
  if (verdict === "booked_before") throw sumIsBooked("id");
  if (verdict === "line_booked") throw lineIsBooked("id");
  const instead = intent === null ? "without the exception" : `with --about ${intent.id} instead of it`;
  const resolution = exception && (await findExceptionAcrossMerchants(exception.id))?.resolution;
  throw validationError(
    "exception",
    `is already resolved: "${resolution ?? ""}"; reject the entry and, unless the money is booked, propose it ${instead}`,
  );
}

/**
 * Rejects the entry permanently; its proposer can also withdraw it this way. Throws not_found, and validation_failed if
 * it is decided.
 */
export async function rejectJournalEntry(id: string, operator: string): Promise<StoredJournalEntry> {
  const act = operatorAct(namedOperator(operator));
  const entry = await requireProposed(id);
  const rejected = await withinMerchant(entry.merchantId, () => rejectRow(entry, act));
  if (!rejected) throw decidedAlready();
  return rejected;
}

async function requireEntry(id: string): Promise<StoredJournalEntry> {
  const entry = isId("journalEntry", id) ? await findJournalEntryAcrossMerchants(id) : null;
  if (!entry) throw new ServiceError("not_found", "There is no such journal entry.");
  return entry;
}

/** An exception of nobody stays in its cell when the merchant of the entry moves to another one. */
async function requireException(id: string): Promise<StoredException> {
  const exception = await findExceptionAcrossMerchants(id);
  if (exception) return exception;
  throw inAnotherCell();
}

async function requireProposed(id: string): Promise<StoredJournalEntry> {
  const entry = await requireEntry(id);
  if (entry.state !== "proposed") throw decidedAlready(entry.state);
  return entry;
}

function decidedAlready(state = "decided"): ServiceError {
  return validationError("id", `names a journal entry that is already ${state}`);
}
