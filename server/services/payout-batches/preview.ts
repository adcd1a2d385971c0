// What would become of each line of a file. Nothing is written.
import pLimit from "p-limit";
import { payoutIntents } from "@/server/db/intents/stores";
import { listRecipients } from "@/server/db/payout-recipients";
import { isKnownCurrency } from "@/server/domain/currencies";
import type { BatchLine } from "@/server/domain/payout-batch";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { type PayoutRecipient, recipientObstacle } from "@/server/domain/payout-recipient";
import type { CallContext, Scope } from "@/server/domain/scope";
import { readTypedAmount } from "@/server/domain/typed-amount";
import { sha256Hex } from "@/server/platform/crypto";
import { lastFour } from "../account-numbers";
import { requireAllowedIfMember } from "../members/acting-member";
import { clockOf, merchantSettings } from "../merchants/settings";
import { differenceOf } from "../payouts/create";
import { accountKey, openRecipientAccount } from "../recipients/accounts";
import { getWallets } from "../wallets";
import { readBatchFile, type TypedLine } from "./read-file";
import { strictestApprovals } from "./requirement";

export interface BatchPreview {
  readonly lines: readonly BatchLine[];
  /** How many members must approve each new payout: as many as the strictest line asks for. */
  readonly approvalsRequired: number;
  /** Identifies what was shown. */
  readonly digest: string;
}

const LONGEST_REFERENCE = 255;
const READS_AT_ONCE = 8;

/**
 * Judges each line of a file, in order. Throws validation_failed for a file that cannot be read, and Forbidden without the
 * role.
 */
export async function previewBatch(context: CallContext, text: string): Promise<BatchPreview> {
  await requireAllowedIfMember(context, "create_payouts");
  const { scope } = context;
  const typed = readBatchFile(text);
  const judge = await judgeOf(scope, typed);
  const lines = typed.map(judge);
  const approvalsRequired = await strictestApprovals(scope, lines);
  const shown = lines.map(({ line, recipientId, amount, reference, verdict }) => [
    line,
    recipientId,
    amount?.toString() ?? null,
    reference,
    verdict,
  ]);
  return { lines, approvalsRequired, digest: sha256Hex(JSON.stringify([approvalsRequired, shown])) };
}

/** What the lines before decide about a line. */
interface Seen {
  /** The line of each reference. */
  readonly references: Map<string, number>;
  /** What is left of each balance, in minor units. */
  readonly available: Map<string, bigint>;
}

/** Returns a function that judges the lines of a file, to be called for each in order. */
async function judgeOf(scope: Scope, typed: readonly TypedLine[]): Promise<(line: TypedLine) => BatchLine> {
  const [merchant, recipients, wallets, originals] = await Promise.all([
    merchantSettings(scope.merchantId),
    listRecipients(scope),
    getWallets(scope),
    findOriginals(scope, typed),
  ]);
  const at = clockOf(merchant, scope.environment)();
  const byAccount = new Map(recipients.map((one) => [accountKey(one, openRecipientAccount(one)), one]));
  const seen: Seen = {
    references: new Map(),
    available: new Map(wallets.map(({ currency, available }) => [currency, available])),
  };
  return (line) => {
    const recipient = byAccount.get(
      accountKey({ bankCode: line.bank_code, currency: line.currency }, line.account_number),
    );
    const amount = isKnownCurrency(line.currency) ? toUnits(line) : null;
    const original = originals.get(line.reference) ?? null;
    const shown = {
      line: line.line,
      recipientId: recipient?.id ?? null,
      holderName: recipient?.holderName ?? line.holder_name,
      accountLast4: lastFour(line.account_number),
      bankCode: line.bank_code,
      currency: line.currency,
      amount,
      reference: line.reference,
      payoutId: null,
    };
    const fault =
      faultOf(line, amount, merchant.currencies) ??
      faultOfRecipient(line, recipient, at) ??
      faultOfReference(line, seen);
    seen.references.set(line.reference, seen.references.get(line.reference) ?? line.line);
    if (fault !== null || !recipient || amount === null) return { ...shown, verdict: "rejected", message: fault };
    if (original) return { ...shown, ...judgeRepeat(original, recipient, amount, line) };
    const left = (seen.available.get(line.currency) ?? 0n) - amount;
    if (left < 0n) return { ...shown, verdict: "rejected", message: "The available balance does not cover it." };
    seen.available.set(line.currency, left);
    return { ...shown, verdict: "create", message: null };
  };
}

function toUnits({ amount, currency }: TypedLine): bigint | null {
  const units = readTypedAmount(amount, currency);
  return units === null ? null : BigInt(units);
}

function faultOf(line: TypedLine, amount: bigint | null, currencies: ReadonlySet<string>): string | null {
  if (!currencies.has(line.currency)) return `${line.currency || "The currency"} is not one of your currencies.`;
  if (amount === null) return `The amount must be a number such as 1250.50, with the digits ${line.currency} has.`;
  const { length } = [...line.reference];
  if (length === 0) return "The reference is missing.";
  if (length > LONGEST_REFERENCE) return `The reference must have at most ${LONGEST_REFERENCE} characters.`;
  return line.reference.isWellFormed() && !line.reference.includes("\0") ? null : "The reference must be plain text.";
}

function faultOfRecipient(line: TypedLine, recipient: PayoutRecipient | undefined, at: Date): string | null {
  if (!recipient) return `No saved recipient has this account at this bank in ${line.currency}.`;
  if (line.holder_name !== "" && comparedName(line.holder_name) !== comparedName(recipient.holderName))
    return `The account is saved as ${recipient.holderName}, not ${line.holder_name}.`;
  if (recipientObstacle(recipient, at) === null) return null;
  return `The recipient is new and can be paid from ${minuteText(recipient.usableFrom)}.`;
}

/** "2026-11-25 10:05 UTC", rounded up. */
function minuteText(at: Date): string {
  const whole = new Date(Math.ceil(at.getTime() / 60_000) * 60_000).toISOString();
  return `${whole.slice(0, 10)} ${whole.slice(11, 16)} UTC`;
}

/** A name in the form for comparison: letter case, accents and spaces make no difference. */
function comparedName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}

function faultOfReference({ reference }: TypedLine, { references }: Seen): string | null {
  const before = references.get(reference);
  return before === undefined ? null : `Line ${before} has the same reference.`;
}

function judgeRepeat(original: PayoutIntent, recipient: PayoutRecipient, amount: bigint, line: TypedLine) {
  const { bankCode, holderName, currency, country } = recipient;
  const account = { type: "bank_account", accountNumber: line.account_number, bankCode, holderName } as const;
  const command = {
    amount: amount.toString(),
    currency,
    country,
    merchantReference: line.reference,
    recipient: account,
  };
  const difference = differenceOf(original, command);
  if (difference === null) return { verdict: "exists", message: null, payoutId: original.id } as const;
  return { verdict: "rejected", message: `A payout with this reference exists, with another ${difference}.` } as const;
}

/** The payouts with the references of the lines. */
async function findOriginals(scope: Scope, lines: readonly TypedLine[]): Promise<ReadonlyMap<string, PayoutIntent>> {
  const limit = pLimit(READS_AT_ONCE);
  const references = [...new Set(lines.map(({ reference }) => reference))].filter(
    (reference) => reference !== "" && reference.isWellFormed() && !reference.includes("\0"),
  );
  const found = await Promise.all(references.map((one) => limit(() => payoutIntents.findByReference(scope, one))));
  return new Map(found.flatMap((payout) => (payout ? [[payout.merchantReference, payout] as const] : [])));
}
