// The digest with which an approver signs a payout as shown.
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { equalTexts, sha256Hex } from "@/server/platform/crypto";

function sha256(values: readonly string[]): string {
  return sha256Hex(JSON.stringify(values));
}

/** Hashes account, bank and holder; the account is included as its keyed digest, never as its number. */
function recipientHash({ account, recipient }: PayoutIntent): string {
  return sha256([recipient.type, account.digest, recipient.bankCode, recipient.holderName]);
}

/** Returns the SHA-256, in hex, of id, amount, currency, recipient and revision, now or at an earlier revision. */
export function approvalDigest(intent: PayoutIntent, revision = intent.revision): string {
  return sha256([intent.id, intent.amount.toString(), intent.currency, recipientHash(intent), String(revision)]);
}

/**
 * Returns the revision at which the payout matched the digest, or null if it has changed. Later approvals by others are
 * not a change: two people who were shown the same payout may approve in any order.
 */
export function shownRevision(intent: PayoutIntent, digest: string): number | null {
  for (let given = 0; given <= intent.approvalsGiven; given += 1) {
    const revision = intent.revision - given;
    if (equalTexts(approvalDigest(intent, revision), digest)) return revision;
  }
  return null;
}
