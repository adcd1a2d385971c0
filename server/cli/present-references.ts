// Owns the state of derived references in wire names.
import type { Installation } from "@/server/services/dispatch-references/prepare";

/** Whether references are derived, in wire names. */
export function presentReferences({ referenceKeyId, referencesDerivedAt }: Installation) {
  return { derived_since: referencesDerivedAt?.toISOString() ?? null, key_id: referenceKeyId };
}
