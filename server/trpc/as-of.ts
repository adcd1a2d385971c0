import { formatInstant } from "@/server/contract/instants";

/** The wire form of how far a report may be behind; null if it is not. */
export function formatAsOf(asOf: Date | null): string | null {
  return asOf && formatInstant(asOf);
}
