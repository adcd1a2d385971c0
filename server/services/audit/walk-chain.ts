// Recomputes one audit chain from its first link to its last.
import { readEnds, readLinks, type StoredLink } from "@/server/db/audit/chain";
import { CHAIN_START, type ChainEnd, linkText } from "@/server/domain/audit-chain";
import { equalTexts, hmacHex } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import type { ChainFault, Fault, Report } from "./faults";

const PAGE = 1_000;

function faultOf(link: StoredLink, before: ChainEnd, anchor: ChainEnd | null): Fault | null {
  if (link.sequence !== before.sequence + 1n) return "link_missing";
  if (!link.entry) return "entry_missing";
  const key = keyRing().byId("audit-chain", link.keyId);
  if (!key) return "key_unknown";
  if (!equalTexts(hmacHex(key.key, linkText(before.hash, link, link.entry)), link.hash)) return "altered";
  if (anchor?.sequence === link.sequence && anchor.hash !== link.hash) return "anchor_differs";
  return null;
}

interface Walk {
  /** The last link before the first fault. */
  readonly end: ChainEnd;
  /** The last link. */
  readonly last: ChainEnd;
}

/** Continues after a fault with the stored hash: each link is checked against the one before it. */
async function walkLinks(merchantId: string, anchor: ChainEnd | null, report: Report): Promise<Walk> {
  let [end, last, isWhole] = [CHAIN_START, CHAIN_START, true];
  for (;;) {
    const links = await readLinks(merchantId, last.sequence, PAGE);
    for (const link of links) {
      const fault = faultOf(link, last, anchor);
      if (fault) {
        const entryId = fault === "link_missing" ? null : link.entryId;
        report({ fault, sequence: last.sequence + 1n, entryId, object: null });
      }
      isWhole &&= !fault;
      last = { sequence: link.sequence, hash: link.hash };
      if (isWhole) end = last;
    }
    if (links.length < PAGE) return { end, last };
  }
}

/** One statement appends the last link and updates the stored end, so they must be equal. */
async function faultAtEnd(merchantId: string, walked: ChainEnd, anchor: ChainEnd | null): Promise<ChainFault | null> {
  const ends = await readEnds(merchantId);
  const [kept, last] = [ends.kept ?? CHAIN_START, ends.last ?? CHAIN_START];
  const promised = anchor && anchor.sequence > kept.sequence ? anchor.sequence : kept.sequence;
  const atEnd = (fault: Fault, sequence: bigint): ChainFault => ({ fault, sequence, entryId: null, object: null });
  if (promised > last.sequence) return atEnd("link_missing", last.sequence + 1n);
  if (last.sequence > kept.sequence) return atEnd("end_altered", kept.sequence + 1n);
  if (last.hash !== kept.hash) return atEnd("end_altered", kept.sequence);
  // Fewer links than just walked: some were deleted meanwhile.
  if (last.sequence < walked.sequence) return atEnd("link_missing", last.sequence + 1n);
  return null;
}

/**
 * Walks a merchant's chain and reports each of its faults; the chain must contain `anchor`, an earlier end. Returns the
 * last link before the first fault.
 */
export async function walkChain(merchantId: string, anchor: ChainEnd | null, report: Report): Promise<ChainEnd> {
  const { end, last } = await walkLinks(merchantId, anchor, report);
  const fault = await faultAtEnd(merchantId, last, anchor);
  if (fault) report(fault);
  return end;
}
