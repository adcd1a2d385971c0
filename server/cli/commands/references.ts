import { deriveReferences, type Installation, showReferences } from "@/server/services/dispatch-references/prepare";
import { type Command, defineCommand } from "../command";

/** Whether references are derived, in wire names. */
function presentReferences({ referenceKeyId, referencesDerivedAt }: Installation) {
  return { derived_since: referencesDerivedAt?.toISOString() ?? null, key_id: referenceKeyId };
}

const show = defineCommand({
  name: "references show",
  summary: "Show since when dispatch references are derived, and from which key",
  cells: "every",
  options: {},
  run: async () => presentReferences(await showReferences()),
});

const derive = defineCommand({
  name: "references derive",
  summary: "Derive dispatch references from now on; every process must already run this release with REFERENCE_KEY",
  cells: "every",
  options: {},
  run: async () => presentReferences(await deriveReferences()),
});

export const references: readonly Command[] = [show, derive];
