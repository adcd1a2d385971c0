// Owns checking the audit log as a whole: every chain recomputed, every entry in one.
import { listAuditedMerchantsAcrossAll, readQueue, readUnlinked } from "@/server/db/audit/chain";
import { findMerchant } from "@/server/db/merchants";
import { CHAIN_START, type ChainEnd } from "@/server/domain/audit-chain";
import { notFoundError } from "@/server/domain/errors";
import { compareRows } from "./compare-rows";
import { type Broken, walkChain } from "./walk-chain";

const STRETCH = 5_000;

export interface MerchantReport {
  readonly merchantId: string;
  /** The last link that is as it was: worth keeping outside the database, as an anchor for later checks. */
  readonly end: ChainEnd;
  /** Entries queued to be linked. */
  readonly waiting: number;
  /** Entries that should be linked and are not. */
  readonly unlinked: number;
  readonly broken: Broken | null;
}

async function findUnlinked(merchantId: string): Promise<{ count: number; firstId: string | null }> {
  let count = 0;
  let firstId: string | null = null;
  for (let after: string | null = ""; after !== null; ) {
    const { lastId, unlinked, firstUnlinkedId } = await readUnlinked(merchantId, after, STRETCH);
    count += unlinked;
    firstId ??= firstUnlinkedId;
    after = lastId;
  }
  return { count, firstId };
}

async function verifyMerchant(merchantId: string, anchor: ChainEnd | null): Promise<MerchantReport> {
  const { end, broken } = await walkChain(merchantId, anchor);
  const { waiting, lostEntryId } = await readQueue(merchantId);
  const unlinked = await findUnlinked(merchantId);
  const outside: readonly (Broken | null)[] = [
    lostEntryId === null ? null : { fault: "entry_missing", sequence: null, entryId: lostEntryId, object: null },
    unlinked.firstId === null ? null : { fault: "unlinked", sequence: null, entryId: unlinked.firstId, object: null },
  ];
  const first = broken ?? outside.find((one) => one !== null) ?? (await compareRows(merchantId));
  return { merchantId, end, waiting, unlinked: unlinked.count, broken: first };
}

/**
 * Recomputes the chain of one merchant, or of all, link by link, beside traffic; where the chain is whole, holds the rows
 * that its entries cover against them. `anchors` are ends that chains had at
 * an earlier time, by merchant: nothing that was seen then can have gone. Throws not_found for an unknown merchant.
 */
export async function verifyAuditChains(
  merchantId: string | null,
  anchors: ReadonlyMap<string, ChainEnd> = new Map(),
): Promise<MerchantReport[]> {
  if (merchantId !== null && !(await findMerchant(merchantId))) throw notFoundError();
  const everyone = new Set([...(await listAuditedMerchantsAcrossAll()), ...anchors.keys()]);
  const reports: MerchantReport[] = [];
  for (const id of merchantId === null ? everyone : [merchantId]) {
    const anchor = anchors.get(id);
    reports.push(await verifyMerchant(id, anchor && anchor.sequence > CHAIN_START.sequence ? anchor : null));
  }
  return reports;
}
