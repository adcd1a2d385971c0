// The digest by which an approver signs a payout: what was shown, as one value.
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { equalTexts, sha256Hex } from "@/server/platform/crypto";

function sha256(values: readonly string[]): string {
  return sha256Hex(JSON.stringify(values));
}

/** Of account, bank and holder; the account enters as its keyed digest, never as its number. */
function recipientHash({ account, recipient }: PayoutIntent): string {
  return sha256([recipient.type, account.digest, recipient.bankCode, recipient.holderName]);
}

/** SHA-256, hex, over id, amount, currency, recipient and revision: of the intent as it is, or as it was at a revision. */
export function approvalDigest(intent: PayoutIntent, revision = intent.revision): string {
  return sha256([intent.id, intent.amount.toString(), intent.currency, recipientHash(intent), String(revision)]);
}

/**
 * The revision at which the payout was what the digest says, or null when it is something else now. Approvals by others
 * since then do not count as a change: two people who were shown the same may approve in any order.
 */
export function shownRevision(intent: PayoutIntent, digest: string): number | null {
  for (let given = 0; given <= intent.approvalsGiven; given += 1) {
    const revision = intent.revision - given;
    if (equalTexts(approvalDigest(intent, revision), digest)) return revision;
  }
  return null;
}
