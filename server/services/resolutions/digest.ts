// Owns the digest of a manual resolution: of the intent as it was shown, and of what was found about it.
import { createHash } from "node:crypto";
import type { NewResolution } from "@/server/db/manual-resolutions";
import { approvalDigest } from "../payout-intents/approval-digest";
import type { AnyIntent } from "../providers/apply-news";

/** What a person judges an intent by. */
function shown(subject: AnyIntent): readonly string[] {
  switch (subject.kind) {
    case "payment_intent": {
      const { amount, currency, paymentMethod } = subject.intent;
      return [amount.toString(), currency, paymentMethod];
    }
    case "payout_intent":
      return [approvalDigest(subject.intent)];
    case "topup_intent": {
      const { sourceAmount, sourceCurrency, receivedAmount, destinationAmount, destinationCurrency } = subject.intent;
      const sums = [sourceAmount, receivedAmount, destinationAmount].map(String);
      return [...sums, sourceCurrency, destinationCurrency];
    }
  }
}

type Found = Pick<NewResolution, "outcome" | "amount" | "currency" | "providerReference" | "evidence">;

/** SHA-256, hex, over the intent with its status and revision, and over the finding with its evidence. */
export function resolutionDigest(subject: AnyIntent, found: Found): string {
  const { merchantId, environment, id, status, revision } = subject.intent;
  const { outcome, amount, currency, providerReference, evidence } = found;
  const about = [merchantId, environment, id, status, String(revision), ...shown(subject)];
  const finding = [outcome, amount?.toString() ?? null, currency, providerReference, evidence];
  return createHash("sha256")
    .update(JSON.stringify([about, finding]))
    .digest("hex");
}
