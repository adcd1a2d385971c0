// Owns recomputing one audit chain from its first link to its last, and naming the first row that is not as it was.
import { readEnds, readLinks, type StoredLink } from "@/server/db/audit/chain";
import { CHAIN_START, type ChainEnd, linkText } from "@/server/domain/audit-chain";
import { equalTexts, hmacHex } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

const PAGE = 1_000;

/** What can be wrong with a row, and what that means. */
export const FAULTS = {
  link_missing: "The link of this sequence number is gone.",
  entry_missing: "The audit entry that was linked or queued here is gone.",
  altered: "Link, entry and the hash before them do not belong together: one was edited, inserted or reordered.",
  key_unknown: "The secret this link was made under is not among SLUICE_SECRETS, so it cannot be checked.",
  end_altered: "The kept end of the chain is not its last link: one of them was edited, inserted or deleted.",
  anchor_differs: "An earlier report saw another hash at this place: the chain was made anew.",
  unlinked: "The entry is in no chain: inserted past the service, or no worker has run for a minute.",
  row_altered: "The row is not as its audit entry says.",
  row_missing: "The row that an audit entry tells of is gone.",
  row_unaudited: "No audit entry tells of the row: it was inserted past the service.",
} as const;
export type Fault = keyof typeof FAULTS;

export interface Broken {
  readonly fault: Fault;
  /** Place in the chain; null for an entry that has none. */
  readonly sequence: bigint | null;
  readonly entryId: string | null;
  /** Table and id of a row that its entry does not fit; null where the fault is in the chain. */
  readonly object: string | null;
}

export interface Walk {
  /** The last link that is as it was. */
  readonly end: ChainEnd;
  readonly broken: Broken | null;
}

function faultOf(link: StoredLink, before: ChainEnd, anchor: ChainEnd | null): Fault | null {
  if (link.sequence !== before.sequence + 1n) return "link_missing";
  if (!link.entry) return "entry_missing";
  const key = keyRing().byId("audit-chain", link.keyId);
  if (!key) return "key_unknown";
  if (!equalTexts(hmacHex(key.key, linkText(before.hash, link, link.entry)), link.hash)) return "altered";
  if (anchor?.sequence === link.sequence && anchor.hash !== link.hash) return "anchor_differs";
  return null;
}

async function walkLinks(merchantId: string, anchor: ChainEnd | null): Promise<Walk> {
  let end = CHAIN_START;
  for (;;) {
    const links = await readLinks(merchantId, end.sequence, PAGE);
    for (const link of links) {
      const fault = faultOf(link, end, anchor);
      if (fault) {
        const entryId = fault === "link_missing" ? null : link.entryId;
        return { end, broken: { fault, sequence: end.sequence + 1n, entryId, object: null } };
      }
      end = { sequence: link.sequence, hash: link.hash };
    }
    if (links.length < PAGE) return { end, broken: null };
  }
}

/** The kept end was moved by the statement that appended the last link, so the two are one. */
async function faultAtEnd(merchantId: string, walked: ChainEnd, anchor: ChainEnd | null): Promise<Broken | null> {
  const ends = await readEnds(merchantId);
  const [kept, last] = [ends.kept ?? CHAIN_START, ends.last ?? CHAIN_START];
  const promised = anchor && anchor.sequence > kept.sequence ? anchor.sequence : kept.sequence;
  const atEnd = (fault: Fault, sequence: bigint): Broken => ({ fault, sequence, entryId: null, object: null });
  if (promised > last.sequence) return atEnd("link_missing", last.sequence + 1n);
  if (last.sequence > kept.sequence) return atEnd("end_altered", kept.sequence + 1n);
  if (last.hash !== kept.hash) return atEnd("end_altered", kept.sequence);
  // Less than what was walked a moment ago: links went while this looked.
  if (last.sequence < walked.sequence) return atEnd("link_missing", last.sequence + 1n);
  return null;
}

/** Walks a merchant's chain; `anchor` is an end that it had at some earlier time and must still pass through. */
export async function walkChain(merchantId: string, anchor: ChainEnd | null): Promise<Walk> {
  const walk = await walkLinks(merchantId, anchor);
  if (walk.broken) return walk;
  return { ...walk, broken: await faultAtEnd(merchantId, walk.end, anchor) };
}
