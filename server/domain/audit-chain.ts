// The form in which an audit entry enters its merchant's hash chain: the text that a link's hash is taken over.

/** An audit entry as it is stored, every value as the database writes it out, so that no reading of it is lossy. */
export interface AuditedEntry {
  readonly merchantId: string;
  readonly id: string;
  readonly environment: string | null;
  readonly actorType: string;
  readonly actorId: string;
  readonly action: string;
  readonly objectId: string;
  /** JSON, in the one form the database keeps it in; null where there is none. */
  readonly before: string | null;
  readonly after: string | null;
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly address: string | null;
  /** Milliseconds since 1970, in digits. */
  readonly createdAt: string;
}

/** What a link adds to its entry, and its hash covers too. */
export interface LinkPlace {
  /** 1, 2, 3 … per merchant. */
  readonly sequence: bigint;
  /** Names the key of the hash. */
  readonly keyId: string;
  /** Milliseconds since 1970, in digits. */
  readonly linkedAt: string;
}

/** Where a chain has come to. */
export interface ChainEnd {
  readonly sequence: bigint;
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/** The end of a chain that has no link yet. */
export const CHAIN_START: ChainEnd = { sequence: 0n, hash: "0".repeat(64) };

/** Changes whenever the canonical form does; old links are then still checked in the form that made them. */
const FORM = "sluice-audit-1";

/**
 * The text that a link's keyed hash is taken over: the 64 digits of the hash before it, then place and entry as one
 * JSON array, which no two different rows share.
 */
export function linkText(previousHash: string, place: LinkPlace, entry: AuditedEntry): string {
  const canonical = JSON.stringify([
    FORM,
    entry.merchantId,
    place.sequence.toString(),
    place.keyId,
    place.linkedAt,
    entry.id,
    entry.environment,
    entry.actorType,
    entry.actorId,
    entry.action,
    entry.objectId,
    entry.before,
    entry.after,
    entry.reason,
    entry.requestId,
    entry.address,
    entry.createdAt,
  ]);
  return previousHash + canonical;
}
