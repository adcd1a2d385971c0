import { formatInstant } from "@/server/contract/instants";
import { JOURNAL_ACCOUNTS } from "@/server/domain/journal";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { confirmJournalEntry, rejectJournalEntry } from "@/server/services/journal/decide";
import { listJournalEntries, type StoredJournalEntry } from "@/server/services/journal/list";
import { proposeJournalEntry } from "@/server/services/journal/propose";
import { type Command, defineCommand, flag, oneOf, optional, required } from "../command";

/** In wire names; amounts in minor units as text. */
function presentJournalEntry(entry: StoredJournalEntry) {
  const { proposedBy, proposedAt, decidedBy, decidedAt } = entry;
  return {
    id: entry.id,
    merchant_id: entry.merchantId,
    environment: entry.environment,
    from: entry.from,
    to: entry.to,
    currency: entry.currency,
    amount: entry.amount.toString(),
    provider: entry.provider,
    evidence: entry.evidence,
    exception_id: entry.exceptionId,
    object_id: entry.objectId,
    is_additional: entry.isAdditional,
    state: entry.state,
    proposed_by: `operator:${proposedBy}`,
    proposed_at: formatInstant(proposedAt),
    decided_by: decidedBy && `operator:${decidedBy}`,
    decided_at: decidedAt && formatInstant(decidedAt),
  };
}

const OPERATOR = required("NAME", "the operator who acts");

const propose = defineCommand({
  name: "journal propose",
  summary: "Propose a movement between two accounts of a merchant; it is booked when another operator confirms it",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "whose accounts"),
    from: oneOf(JOURNAL_ACCOUNTS, "the account that is debited"),
    to: oneOf(JOURNAL_ACCOUNTS, "the account that is credited"),
    currency: required("CODE", "a currency or token"),
    amount: required("UNITS", "minor units: 100000 is 1000.00 BRL"),
    provider: optional("NAME", "the provider of provider_clearing"),
    evidence: required("TEXT", "the evidence; at most 2,000 characters"),
    exception: optional("ID", "an exception that the confirmation resolves"),
    about: optional(
      "ID",
      "without an exception: the intent whose money it is, so that a later report does not book it again",
    ),
    additional: flag("further money, although the books have the same sum of the same intent"),
    operator: OPERATOR,
  },
  run: async ({ merchant, environment, operator, exception, additional, ...entry }) => {
    const scope = { merchantId: merchant, environment };
    const given = { ...entry, exceptionId: exception, isAdditional: additional };
    return presentJournalEntry(await proposeJournalEntry(scope, operator, given));
  },
});

const confirm = defineCommand({
  name: "journal confirm",
  summary: "Confirm and book a proposed journal entry, as a different operator than its proposer",
  cells: "id",
  options: { id: required("ID", "the journal entry"), operator: OPERATOR },
  run: async ({ id, operator }) => presentJournalEntry(await confirmJournalEntry(id, operator)),
});

const reject = defineCommand({
  name: "journal reject",
  summary: "Reject a proposed journal entry, or withdraw your own",
  cells: "id",
  options: { id: required("ID", "the journal entry"), operator: OPERATOR },
  run: async ({ id, operator }) => presentJournalEntry(await rejectJournalEntry(id, operator)),
});

const list = defineCommand({
  name: "journal list",
  summary: "List journal entries, oldest first",
  cells: "merchant or every",
  options: {
    merchant: optional("ID", "the merchant; all merchants if omitted"),
    open: flag("only open proposals"),
  },
  run: async ({ merchant, open }) => {
    const { entries, hasMore } = await listJournalEntries({ merchantId: merchant, openOnly: open });
    return { data: entries.map(presentJournalEntry), has_more: hasMore };
  },
});

export const journal: readonly Command[] = [propose, confirm, reject, list];
