// A provider's own record of one intent: what it accepted, what happened, and what it would report at each point.
import type { Report } from "./reports";

export interface Entry {
  readonly report: Report;
  /** Position among all facts that ever happened; it survives a restore from backup. */
  readonly fact: number;
}

/** The record that answers queries. Facts stay true when the record loses them. */
export interface ProviderRecord {
  entries: Entry[];
  isAccepted: boolean;
  /** Number of facts so far. */
  facts: number;
}

export function emptyRecord(): ProviderRecord {
  return { entries: [], isAccepted: false, facts: 0 };
}

/** Records what has happened and returns it as a report. */
export function enter(record: ProviderRecord, report: Report): Entry {
  record.facts += 1;
  const entry = { report, fact: record.facts };
  record.entries.push(entry);
  return entry;
}

/** The provider loses all of the record, or a restore from backup brings back its beginning only. */
export function lose(record: ProviderRecord, how: "forget" | "restore"): void {
  record.entries = how === "forget" ? [] : record.entries.slice(0, Math.ceil(record.entries.length / 2));
  record.isAccepted = record.entries.length > 0;
}
