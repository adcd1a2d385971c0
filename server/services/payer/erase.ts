// Erases a payer's personal data; amounts, ledger and audit log stay.

import { deleteRequestsWith, erasePayer, type PayerKey, readPaymentsForErasure } from "@/server/db/payer-erasure";
import { operatorAct } from "../merchants/operator";
import { requireMerchant } from "../merchants/require";
import { requireOneCopy } from "../moves/open-move";

const PAGE = 2_000;
/** One transaction writes an audit entry for each. */
const BATCH = 100;

export interface Erasure {
  /** Payments whose payer was erased. */
  readonly payments: number;
  /** Payments of the payer that have not ended. They need the details; repeat the erasure when they have ended. */
  readonly open: number;
  /** Entries deleted from the API log. */
  readonly requests: number;
}

/**
 * Erases name, email and reference of the payer from the merchant's ended payments, in both environments, and deletes the
 * logged requests with the reference. Can be interrupted and repeated. Audited as the operator's. Throws not_found for an
 * unknown merchant, validation_failed if another cell has rows of the merchant, and so the payer, too, and service_unavailable if
 * a cell does not answer.
 */
export async function erasePayerData(payer: PayerKey): Promise<Erasure> {
  await requireMerchant(payer.merchantId);
  await requireOneCopy(payer.merchantId);
  const erased = await eraseHere(payer);
  // A move may have begun meanwhile.
  await requireOneCopy(payer.merchantId);
  return erased;
}

async function eraseHere(payer: PayerKey): Promise<Erasure> {
  const references = new Set(payer.reference === null ? [] : [payer.reference]);
  let [payments, open, requests] = [0, 0, 0];
  for (let afterId = ""; ; ) {
    const page = await readPaymentsForErasure(payer, afterId, PAGE);
    const last = page.at(-1);
    if (!last) break;
    const own = page.filter(({ isOfPayer }) => isOfPayer);
    const ended = own.filter(({ isEnded }) => isEnded);
    for (const { reference } of own) if (reference !== null) references.add(reference);
    open += own.length - ended.length;
    for (let at = 0; at < ended.length; at += BATCH) {
      const ids = ended.slice(at, at + BATCH).map(({ id }) => id);
      const erased = await erasePayer(payer, ids, operatorAct());
      payments += erased.payments;
      requests += erased.requests;
    }
    afterId = last.id;
  }
  const texts = [...references].map((reference) => `"reference":${JSON.stringify(reference)}`);
  return { payments, open, requests: requests + (await deleteRequestsWith(payer.merchantId, texts)) };
}
