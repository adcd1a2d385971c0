// Compares rows with their audit entries and reports each difference.
import { createHash } from "node:crypto";
import { type ProposalTable, readCoveredProposals, type StoredProposal } from "@/server/db/audit/covered-proposals";
import {
  type CoveredIntent,
  readCoveredApprovals,
  readCoveredIntents,
  readCoveredTotals,
  readCoveredTransactions,
  readLedgerAnchor,
  readUncoveredEntries,
  type StoredApproval,
  type StoredTotal,
  type StoredTransaction,
} from "@/server/db/audit/covered-rows";
import { readMismatches } from "@/server/db/audit/mismatches";
import { instructionsText, PERSONAL, personalText, transactionDigest } from "@/server/db/commit/audited";
import { paymentMapping } from "@/server/db/intents/payment-row";
import { payoutMapping } from "@/server/db/intents/payout-row";
import type { CoreRow, RowMapping } from "@/server/db/intents/row";
import { topupMapping } from "@/server/db/intents/topup-row";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { IntentCore } from "@/server/domain/transition";
import { canonicalJson } from "@/server/platform/canonical-json";
import { digestMatches, equalTexts } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import { accountDigests, openAccount } from "../account-numbers";
import type { ChainFault, Fault, Report } from "./faults";

const PAGE = 1_000;

type Values = Readonly<Record<string, unknown>>;

function broken(fault: Fault, object: string, entryId: string | null): ChainFault {
  return { fault, sequence: null, entryId, object };
}

const equalValues = (a: unknown, b: unknown) => canonicalJson(a ?? null) === canonicalJson(b ?? null);

/** Returns the forms in which the intent may have been audited, newest first; none if it contradicts itself. */
type Forms<Intent> = (intent: Intent) => readonly Intent[];

const asItIs = <Intent>(intent: Intent): readonly Intent[] => [intent];

/** The digest of the encrypted account number may have been recomputed under another key or in another form. */
function accountForms(intent: PayoutIntent): readonly PayoutIntent[] {
  try {
    const digests = accountDigests(intent.merchantId, openAccount(intent));
    if (!digests.includes(intent.account.digest)) return [];
    return [intent, ...digests.map((digest) => ({ ...intent, account: { ...intent.account, digest } }))];
  } catch {
    return [];
  }
}

/** Returns true if every column in the entry of the creation is unchanged, except an erased payer. */
function areFactsAsAudited<Intent extends IntentCore<string>, Row extends CoreRow>(
  mapping: RowMapping<Intent, Row>,
  { intent, isPayerErased }: CoveredIntent<Intent>,
  facts: Values,
  forms: Forms<Intent>,
): boolean {
  const { [PERSONAL]: personal, ...shown } = facts;
  const stored = JSON.parse(JSON.stringify(mapping.toRow(intent))) as Values;
  if (!Object.entries(shown).every(([column, value]) => equalValues(stored[column], value))) return false;
  return forms(intent).some((form) => {
    const text = personalText(mapping, mapping.toRow(form));
    if (text === null) return personal === undefined || isPayerErased;
    if (typeof personal !== "string") return false;
    return digestMatches(keyRing(), "audit-facts", personal, text);
  });
}

/** Returns true if the intent has the state of its last entry; an old entry records less. */
function isStateAsAudited({ status, failure, revision }: IntentCore<string>, audited: Values, after: Values): boolean {
  const state = { status, failure, revision, ...audited };
  return Object.entries(state).every(([name, value]) => !(name in after) || equalValues(after[name], value));
}

/** Returns true if the payer's instructions are those of the last entry; an old entry does not record them. */
function areInstructionsAsAudited(row: object, { next_action: digest }: Values): boolean {
  if (digest === undefined) return true;
  const text = instructionsText(row);
  if (text === null || typeof digest !== "string") return text === null && digest === null;
  return digestMatches(keyRing(), "audit-facts", digest, text);
}

/** Returns true if the ring has the keys of the entries' digests; without one, the row cannot be compared. */
function areKeysKnown({ creation, latest }: CoveredIntent<unknown>): boolean {
  const facts = creation?.after.facts as Values | undefined;
  return [facts?.[PERSONAL], latest?.after.next_action].every(
    (digest) => typeof digest !== "string" || keyRing().byId("audit-facts", digest.split(".", 1)[0] ?? "") !== null,
  );
}

async function compareIntents<Intent extends IntentCore<string>, Row extends CoreRow>(
  merchantId: string,
  mapping: RowMapping<Intent, Row>,
  forms: Forms<Intent>,
  report: Report,
): Promise<void> {
  const faultOf = (covered: CoveredIntent<Intent>): ChainFault | null => {
    const { intent, creation, latest } = covered;
    const object = `${mapping.table} ${intent.id}`;
    if (!creation) return broken("row_unaudited", object, null);
    if (!areKeysKnown(covered)) return broken("key_unknown", object, creation.entryId);
    const facts = creation.after.facts as Values | undefined;
    const areFacts = !facts || areFactsAsAudited(mapping, covered, facts, forms);
    if (!areFacts || !latest) return broken("row_altered", object, creation.entryId);
    const isState =
      isStateAsAudited(intent, mapping.audited(intent), latest.after) &&
      areInstructionsAsAudited(mapping.toRow(intent), latest.after);
    return isState ? null : broken("row_altered", object, latest.entryId);
  };
  return reportFaults(
    (last: CoveredIntent<Intent> | null) => readCoveredIntents(mapping, merchantId, last?.intent.id ?? "", PAGE),
    faultOf,
    report,
  );
}

function transactionFault(transaction: StoredTransaction): ChainFault | null {
  const object = `ledger_transaction ${transaction.id}`;
  const { entryId, digest } = transaction;
  if (digest === null) return broken("row_unaudited", object, null);
  return equalTexts(transactionDigest(transaction), digest) ? null : broken("row_altered", object, entryId);
}

/**
 * Compares transactions with a digest one by one, and all old ones without a digest together with the ledger's anchor.
 */
async function compareTransactions(merchantId: string, report: Report): Promise<void> {
  const anchor = await readLedgerAnchor(merchantId);
  const old = createHash("sha256");
  let count = 0;
  await reportFaults<StoredTransaction>(
    (last) => readCoveredTransactions(merchantId, last?.id ?? "", PAGE),
    (transaction) => {
      if (!anchor || !transaction.isOld) return transactionFault(transaction);
      count += 1;
      old.update(transactionDigest(transaction), "hex");
      return null;
    },
    report,
  );
  if (!anchor) return;
  const { transactions, digest, entryId } = anchor;
  const object = `ledger_transaction: ${count} from before the log covered the ledger`;
  if (count > transactions) report(broken("row_unaudited", object, entryId));
  else if (count < transactions) report(broken("row_missing", object, entryId));
  else if (!equalTexts(old.digest("hex"), digest)) report(broken("row_altered", object, entryId));
}

type StoredRow = StoredApproval | StoredProposal | StoredTotal;

function faultUnlessAudited({ entryId, isAsAudited }: StoredRow, object: string): ChainFault | null {
  if (isAsAudited) return null;
  return broken(entryId === null ? "row_unaudited" : "row_altered", object, entryId);
}

/** Reads page by page and reports each fault; has one page in memory at a time. */
async function reportFaults<Item>(
  read: (last: Item | null) => Promise<readonly Item[]>,
  faultOf: (item: Item) => ChainFault | null,
  report: Report,
): Promise<void> {
  for (let last: Item | null = null; ; ) {
    const page: readonly Item[] = await read(last);
    for (const item of page) {
      const fault = faultOf(item);
      if (fault) report(fault);
    }
    if (page.length < PAGE) return;
    last = page.at(-1) ?? null;
  }
}

async function reportUncovered(merchantId: string, report: Report): Promise<void> {
  for (let after: string | null = ""; after !== null; ) {
    const { lastId, strayIds } = await readUncoveredEntries(merchantId, after, PAGE);
    for (const id of strayIds) report(broken("row_unaudited", `ledger_entry of ${id}`, null));
    after = lastId;
  }
}

async function reportMismatches(merchantId: string, report: Report): Promise<void> {
  for (let after: string | null = ""; after !== null; ) {
    const { lastId, mismatches } = await readMismatches(merchantId, after, PAGE);
    for (const { isGone, object, entryId } of mismatches) {
      report(broken(isGone ? "row_missing" : "row_altered", object, entryId));
    }
    after = lastId;
  }
}

function compareApprovals(merchantId: string, report: Report): Promise<void> {
  return reportFaults<StoredApproval>(
    (last) => readCoveredApprovals(merchantId, last ?? { payoutId: "", memberId: "" }, PAGE),
    (approval) => faultUnlessAudited(approval, `approval ${approval.payoutId} ${approval.memberId}`),
    report,
  );
}

function compareTotals(merchantId: string, report: Report): Promise<void> {
  return reportFaults<StoredTotal>(
    (last) => readCoveredTotals(merchantId, last ?? { intentId: "", ordinal: 0 }, PAGE),
    (total) => faultUnlessAudited(total, `topup_total ${total.intentId} ${total.ordinal}`),
    report,
  );
}

const compareProposals = (table: ProposalTable) => (merchantId: string, report: Report) =>
  reportFaults<StoredProposal>(
    (last) => readCoveredProposals(table, merchantId, last?.id ?? "", PAGE),
    (proposal) => faultUnlessAudited(proposal, `${table} ${proposal.id}`),
    report,
  );

type Comparison = (merchantId: string, report: Report) => Promise<void>;

/** Comparisons by subject, in order of execution. */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  ledger_transaction: compareTransactions,
  ledger_entry: reportUncovered,
  payment_intent: (merchantId, report) => compareIntents(merchantId, paymentMapping, asItIs, report),
  payout_intent: (merchantId, report) => compareIntents(merchantId, payoutMapping, accountForms, report),
  topup_intent: (merchantId, report) => compareIntents(merchantId, topupMapping, asItIs, report),
  approval: compareApprovals,
  topup_total: compareTotals,
  journal_entry: compareProposals("journal_entry"),
  manual_resolution: compareProposals("manual_resolution"),
  approval_policy: compareProposals("approval_policy"),
  suspense_refund: compareProposals("suspense_refund"),
  topup_policy_proposal: compareProposals("topup_policy_proposal"),
  audit_entry: reportMismatches,
};

/**
 * Reports every row of a merchant that its audit entries contradict: intents, ledger transactions with their entries,
 * approvals, totals of top-ups, proposals, and calls whose answers moved an intent. Safe during traffic: one statement
 * reads a row and the entry of its commit. If the chain is broken, entries can contain anything: a comparison that
 * cannot read them is reported as `not_compared`, and the others still run.
 */
export async function compareRows(merchantId: string, report: Report, isChainWhole: boolean): Promise<void> {
  for (const [table, compare] of Object.entries(COMPARISONS)) {
    try {
      await compare(merchantId, report);
    } catch (error) {
      if (isChainWhole) throw error;
      report(broken("not_compared", table, null));
    }
  }
}
