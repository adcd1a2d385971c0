// Verifies the whole audit log: recomputes every chain and checks that every entry is linked.
import { listAuditedMerchantsAcrossAll, readQueue, readUnlinked } from "@/server/db/audit/chain";
import { CHAIN_START, type ChainEnd } from "@/server/domain/audit-chain";
import { NOBODY } from "@/server/domain/exceptions";
import { withinMerchant } from "@/server/platform/reach";
import { requireMerchant } from "../merchants/require";
import { compareRows } from "./compare-rows";
import { type ChainFault, type Fault, type FaultReport, openFaults, type Report } from "./faults";
import { walkChain } from "./walk-chain";

const STRETCH = 5_000;

export interface MerchantReport {
  readonly merchantId: string;
  /** The last link before the chain's first fault. Store it outside the database as an anchor for later checks. */
  readonly end: ChainEnd;
  /** Entries queued to be linked. */
  readonly waiting: number;
  /** Entries that should be linked but are not. */
  readonly unlinked: number;
  readonly faults: FaultReport;
  /** The first fault. */
  readonly broken: ChainFault | null;
}

const outsideChain = (fault: Fault, entryId: string): ChainFault => ({ fault, sequence: null, entryId, object: null });

/** Reports entries that should be linked but are not; returns their number. */
async function reportUnlinked(merchantId: string, report: Report): Promise<number> {
  let count = 0;
  for (let after: string | null = ""; after !== null; ) {
    const { lastId, unlinkedIds } = await readUnlinked(merchantId, after, STRETCH);
    for (const id of unlinkedIds) report(outsideChain("unlinked", id));
    count += unlinkedIds.length;
    after = lastId;
  }
  return count;
}

async function verifyMerchant(merchantId: string, anchor: ChainEnd | null): Promise<MerchantReport> {
  const { report, close, isEmpty } = openFaults();
  const end = await walkChain(merchantId, anchor, report);
  const { waiting, lostIds } = await readQueue(merchantId);
  for (const id of lostIds) report(outsideChain("entry_missing", id));
  const unlinked = await reportUnlinked(merchantId, report);
  await compareRows(merchantId, report, isEmpty());
  const faults = close();
  return { merchantId, end, waiting, unlinked, faults, broken: faults.shown[0] ?? null };
}

/**
 * Recomputes the chain of one merchant, or of all, link by link, and compares the audited rows with their entries. Safe
 * during traffic; continues after a fault. `anchors` are earlier ends of chains by merchant, which prove that no link
 * before them is missing. Throws not_found for an unknown merchant.
 */
export async function verifyAuditChains(
  merchantId: string | null,
  anchors: ReadonlyMap<string, ChainEnd> = new Map(),
): Promise<MerchantReport[]> {
  if (merchantId !== null) await requireMerchant(merchantId);
  const everyone = new Set([...(await listAuditedMerchantsAcrossAll()), ...anchors.keys()]);
  const reports: MerchantReport[] = [];
  for (const id of merchantId === null ? everyone : [merchantId]) {
    const anchor = anchors.get(id);
    const verify = () => verifyMerchant(id, anchor && anchor.sequence > CHAIN_START.sequence ? anchor : null);
    // Work of all merchants does not see one that moves: its chain would seem to be gone.
    reports.push(await (id === NOBODY ? verify() : withinMerchant(id, verify)));
  }
  return reports;
}
