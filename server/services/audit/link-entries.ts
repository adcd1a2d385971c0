// Links audit entries to chains within a second or two after their commit, so that no request waits.
import { appendLinks, listMerchantsToLinkAcrossMerchants, type NewLink, readWaiting } from "@/server/db/audit/pending";
import { type AuditedEntry, type ChainEnd, linkText } from "@/server/domain/audit-chain";
import { now } from "@/server/platform/clock";
import { hmacHex } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";

/** Entries linked by one statement: enough for a busy merchant, few enough to hold its lock briefly. */
const BATCH = 500;
const MERCHANTS_AT_ONCE = 4;
/** Pause before retrying a chain that rejected a link: the cause usually persists. */
const HOLD_BACK_MS = 10_000;

/** When to retry a merchant's chain, in ms since 1970. */
const heldBack = new Map<string, number>();

function chain(end: ChainEnd, entries: readonly AuditedEntry[]): NewLink[] {
  const { id: keyId, key } = keyRing().current("audit-chain");
  const linkedAt = String(now().getTime());
  let { sequence, hash } = end;
  return entries.map((entry) => {
    sequence += 1n;
    const place = { sequence, keyId, linkedAt };
    hash = hmacHex(key, linkText(hash, place, entry));
    return { ...place, entryId: entry.id, hash };
  });
}

/** Links one batch of a merchant's waiting entries; returns their number, zero if another worker was faster. */
async function linkMerchant(merchantId: string): Promise<number> {
  const { end, entries } = await readWaiting(merchantId, BATCH);
  const isAppended = await appendLinks(merchantId, end, chain(end, entries));
  return isAppended ? entries.length : 0;
}

/** A chain that rejects links, for example after tampering, must not block other merchants. */
async function linkOrReport(merchantId: string): Promise<number> {
  if ((heldBack.get(merchantId) ?? 0) > now().getTime()) return 0;
  try {
    const linked = await withinMerchant(merchantId, () => linkMerchant(merchantId));
    heldBack.delete(merchantId);
    return linked;
  } catch (error) {
    heldBack.set(merchantId, now().getTime() + HOLD_BACK_MS);
    log().error({ err: error, merchantId }, "the worker could not link audit entries into their chain");
    return 0;
  }
}

export interface LinkResult {
  readonly entries: number;
  /** True if a merchant had a full batch waiting, and so perhaps more. */
  readonly isBehind: boolean;
}

/**
 * Links up to a batch of waiting audit entries of every merchant. Safe for concurrent workers: a chain is never forked,
 * an entry linked once.
 */
export async function linkAuditEntries(): Promise<LinkResult> {
  const merchants = await listMerchantsToLinkAcrossMerchants();
  let entries = 0;
  let isBehind = false;
  const next = async (): Promise<void> => {
    for (let merchantId = merchants.pop(); merchantId !== undefined; merchantId = merchants.pop()) {
      const linked = await linkOrReport(merchantId);
      entries += linked;
      isBehind ||= linked === BATCH;
    }
  };
  await Promise.all(Array.from({ length: MERCHANTS_AT_ONCE }, next));
  return { entries, isBehind };
}
