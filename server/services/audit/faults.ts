// The faults that verifying the audit log can find, and the report of one merchant's faults.
import { createHash } from "node:crypto";

/** The kinds of faults and their meanings. */
export const FAULTS = {
  link_missing: "The link with this sequence number is missing.",
  entry_missing: "The audit entry that was linked or queued here is missing.",
  altered: "The link, its entry and the previous hash do not match: one was edited, inserted or reordered.",
  key_unknown: "The link or row cannot be checked: the configured secrets do not contain the one of its digest.",
  end_altered: "The stored end of the chain differs from its last link: one of them was edited, inserted or deleted.",
  anchor_differs: "An earlier report contains a different hash at this position: the chain was rebuilt.",
  unlinked: "The entry is in no chain: it was inserted by manual SQL, or no worker has run for a minute.",
  row_altered: "The row differs from its audit entry.",
  row_missing: "The row that an audit entry records is missing.",
  row_unaudited: "No audit entry records the row: it was inserted by manual SQL.",
  not_compared:
    "The chain is broken, and one of its entries or rows cannot be read: this table was not fully compared.",
} as const;
export type Fault = keyof typeof FAULTS;

export interface ChainFault {
  readonly fault: Fault;
  /** Position in the chain; null for an entry without one. */
  readonly sequence: bigint | null;
  readonly entryId: string | null;
  /** Table and id of a row that differs from its entry; null if the fault is in the chain. */
  readonly object: string | null;
}

export type Report = (broken: ChainFault) => void;

/** Maximum shown faults of one merchant; all are counted. */
export const SHOWN_FAULTS = 100;

export interface FaultReport {
  readonly count: number;
  /** The first faults, in order of discovery. */
  readonly shown: readonly ChainFault[];
  /** SHA-256, in hex, of all faults: every further fault changes it. */
  readonly digest: string;
}

/** Collects faults; stores only the shown ones. */
export function openFaults(): {
  readonly report: Report;
  readonly isEmpty: () => boolean;
  readonly close: () => FaultReport;
} {
  const shown: ChainFault[] = [];
  const digest = createHash("sha256");
  let count = 0;
  return {
    report: (broken) => {
      count += 1;
      if (shown.length < SHOWN_FAULTS) shown.push(broken);
      const { fault, sequence, entryId, object } = broken;
      digest.update(`${JSON.stringify([fault, sequence?.toString() ?? null, entryId, object])}\n`);
    },
    isEmpty: () => count === 0,
    close: () => ({ count, shown, digest: digest.digest("hex") }),
  };
}
