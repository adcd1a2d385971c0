import { deriveReferences, type Installation, showReferences } from "@/server/services/dispatch-references/prepare";
import { type Command, defineCommand } from "../command";

/** Whether references are derived, in wire names. */
function presentReferences({ referenceKeyId, referencesDerivedAt }: Installation) {
  return { derived_since: referencesDerivedAt?.toISOString() ?? null, key_id: referenceKeyId };
}

const show = defineCommand({
  name: "references show",
  summary: "Show since when references to providers are derived, and by which key",
  options: {},
  run: async () => presentReferences(await showReferences()),
});

const derive = defineCommand({
  name: "references derive",
  summary: "Derive references to providers from now on; every process must run this release with REFERENCE_KEY",
  options: {},
  run: async () => presentReferences(await deriveReferences()),
});

export const references: readonly Command[] = [show, derive];
