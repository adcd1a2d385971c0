import type { SourceType } from "@/server/domain/topup-intent";
import type { TopupStatus } from "@/server/domain/topup-transitions";
import { type FilterField, type Filters, filterInput, SHARED_FIELDS } from "../lists/filters";

export const TOPUP_FIELDS: readonly FilterField[] = [
  ...SHARED_FIELDS,
  { name: "source_type", labelKey: "topups.sourceType" },
];

/** The filters as input of the procedures, which reject an unknown source. */
export function topupInput({ source_type, ...filters }: Filters) {
  return { ...filterInput<TopupStatus>(filters), ...(source_type ? { source_type: source_type as SourceType } : {}) };
}
