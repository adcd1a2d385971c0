// Proposes a journal entry: a movement between two accounts that no intent books.
import { findExceptionAcrossMerchants, type StoredException } from "@/server/db/exceptions";
import { insertJournalEntry, type StoredJournalEntry } from "@/server/db/journal";
import { findBooksOf } from "@/server/db/journal-confirmation";
import { isKnownCurrency } from "@/server/domain/currencies";
import { notFoundError, type ServiceError, validationError } from "@/server/domain/errors";
import { isSumBooked, type JournalAccount } from "@/server/domain/journal";
import { parseAmount } from "@/server/domain/money";
import { providerOfFact } from "@/server/domain/reconciliation-exceptions";
import type { Scope } from "@/server/domain/scope";
import { currentCell } from "@/server/platform/cell";
import { cellOfId } from "@/server/platform/cell-of";
import { isId, newId } from "@/server/platform/ids";
import { checkedText, MAXIMUM_EVIDENCE } from "../checked-text";
import { moneyOf } from "../exceptions/decide";
import type { AnyIntent } from "../intent-kinds";
import { namedOperator, operatorAct } from "../merchants/operator";
import { merchantSettings, requireWalletCurrency } from "../merchants/settings";
import { journalDigest } from "./digest";
import { requireEndedIntent } from "./ended-intent";
import { inAnotherCell, isLineBooked, lineIsBooked, requireDecidedHere } from "./line-booked";
import { requireNobodys } from "./nobodys-exception";

/** The given entry; the amount is text in minor units. */
export interface JournalEntryInput {
  readonly from: JournalAccount;
  readonly to: JournalAccount;
  readonly currency: string;
  readonly amount: string;
  /** The provider of the clearing account; null if neither account is one. */
  readonly provider: string | null;
  readonly evidence: string;
  /** An exception that the confirmation resolves; null for none. */
  readonly exceptionId: string | null;
  /** The id of the intent that it is about, if it has no exception: a later report does not book the same money again. */
  readonly about: string | null;
  /** True for further money, although the books have the same sum of the same intent, or do not know the intent yet. */
  readonly isAdditional: boolean;
}

/**
 * Proposes a journal entry as the operator of that name; it is booked once another operator confirms it. Throws not_found
 * for an unknown merchant or exception, and validation_failed for an entry that cannot be booked or is about an open intent.
 */
export async function proposeJournalEntry(
  scope: Scope,
  operator: string,
  given: JournalEntryInput,
): Promise<StoredJournalEntry> {
  const act = operatorAct(namedOperator(operator));
  const { from, to, currency, provider, exceptionId, isAdditional } = given;
  const merchant = await merchantSettings(scope.merchantId);
  if (from === to) throw validationError("to", "must differ from the account that the money is taken from");
  requireProvider(given);
  if (!isKnownCurrency(currency)) throw validationError("currency", "is unknown");
  if (from === "available" || to === "available") requireWalletCurrency(merchant, "currency", currency);
  const amount = parseAmount(given.amount, currency);
  if (amount === null) throw validationError("amount", "must be a positive whole number of minor units");
  const evidence = checkedText("evidence", given.evidence, MAXIMUM_EVIDENCE);
  if (exceptionId !== null && given.about !== null)
    throw validationError("about", "must be omitted: the exception tells what the entry is about");
  const { objectId, intent, isAboutLine } =
    exceptionId === null ? await requireNamed(scope, given.about) : await requireResolvable(scope, exceptionId, given);
  const { merchantId, environment } = scope;
  requireOfIntent(given, intent, isAboutLine);
  const posting = { id: newId("journalEntry"), from, to, currency, amount, provider };
  if (intent && !isAdditional && isSumBooked(posting, await findBooksOf(intent, posting)))
    throw sumIsBooked(exceptionId === null ? "about" : "exception");
  const proposal = { ...posting, merchantId, environment, evidence, exceptionId, objectId, isAdditional };
  const digest = journalDigest({ ...proposal, proposedBy: act.actor.id, proposedAt: act.at });
  return insertJournalEntry({ ...proposal, digest }, act);
}

const PROVIDER = /^[a-z][a-z0-9_-]{0,31}$/;

/** A clearing account belongs to one provider, which may be one that gets no new intents. */
function requireProvider({ from, to, provider }: JournalEntryInput): void {
  const isClearing = from === "provider_clearing" || to === "provider_clearing";
  if (isClearing && !PROVIDER.test(provider ?? "")) {
    throw validationError("provider", "must name the provider of the clearing account");
  }
  if (!isClearing && provider !== null)
    throw validationError("provider", "must be omitted: neither account belongs to a provider");
}

/** A line of a settlement file is about money that its own provider holds. */
function requireLinesProvider({ detail }: StoredException, { provider: given }: JournalEntryInput): void {
  const { file, provider } = detail;
  if (file !== undefined && given !== provider)
    throw validationError("provider", `must be ${provider}: the exception is about a line of its settlement file`);
}

/**
 * Money of an intent moves through a provider that it was sent to: a report is compared with what is booked through the same one.
 * Settlement files bring what a provider kept or transferred, so an import would book that again, but for a line that it leaves
 * alone once an entry has booked it (`isAboutLine`).
 */
function requireOfIntent(
  { from, to, provider, exceptionId, isAdditional }: JournalEntryInput,
  intent: AnyIntent["intent"] | null,
  isAboutLine: boolean,
): void {
  if (intent === null || isAdditional) return;
  const moves = (account: JournalAccount) => from === account || to === account;
  const unless = "If this is none of the money that its provider reports, propose it with --additional";
  const isOfPayer = moves("provider_clearing") || moves("available");
  if (isOfPayer && (provider === null || !intent.routing.order.includes(provider)))
    throw validationError("provider", `must be one that ${intent.id} was sent to. ${unless}`);
  if (!isAboutLine && moves("provider_clearing") && (moves("fees") || moves("bank")))
    throw validationError(
      exceptionId === null ? "about" : "exception",
      "must be omitted: an import of the settlement file books what the provider kept or transferred. If it will not, or if you have resolved the exception of its line with --booked, propose the entry with --additional",
    );
}

/** What an entry is about. */
interface Subject {
  readonly objectId: string | null;
  /** The ended intent; null if it is about none, or about one that is unknown here. */
  readonly intent: AnyIntent["intent"] | null;
  /** True if it is about a line of a settlement file of which no import has booked anything. */
  readonly isAboutLine: boolean;
}

/** Returns the ended intent that the entry is about, if any. */
async function requireNamed(scope: Scope, about: string | null): Promise<Subject> {
  if (about === null) return { objectId: null, intent: null, isAboutLine: false };
  const intent = await requireEndedIntent(scope, about, "about");
  if (intent === null) throw validationError("about", "names no intent of the merchant in this environment");
  return { objectId: intent.id, intent, isAboutLine: false };
}

/**
 * Returns what the exception is about. Requires one of the scope or of no merchant that is open, has no money in suspense and is
 * about no open intent, nor about one of another merchant, nor about one that a restore may have lost.
 */
async function requireResolvable(scope: Scope, id: string, entry: JournalEntryInput): Promise<Subject> {
  const exception = isId("exception", id) ? await findExceptionAcrossMerchants(id) : null;
  if (!exception && cellOfId(id).name !== currentCell().name) throw inAnotherCell();
  const isTheirs = exception?.merchantId === scope.merchantId || exception?.merchantId === null;
  if (!exception || !isTheirs || exception.environment !== scope.environment) throw notFoundError();
  if (exception.resolvedAt !== null) throw validationError("exception", "is already resolved");
  if (await moneyOf(exception)) throw validationError("exception", "has money in suspense; settle it instead");
  requireLinesProvider(exception, entry);
  const { objectId } = exception;
  const intent = await requireEndedIntent(scope, objectId, "exception");
  if (intent === null) await requireNobodys(scope.environment, objectId, entry.isAdditional);
  if (!entry.isAdditional) {
    await requireDecidedHere(exception, intent !== null, "exception");
    if (await isLineBooked(exception, intent !== null)) throw lineIsBooked("exception");
  }
  return { objectId, intent, isAboutLine: providerOfFact(exception.fact) !== null };
}

/** The error for an entry whose sum the books have of its intent. */
export function sumIsBooked(member: "id" | "exception" | "about"): ServiceError {
  return validationError(
    member,
    "is about an intent of which the books have the same sum through this provider. Check them, and import the settlement file again; if this is further money, propose it with --additional",
  );
}
