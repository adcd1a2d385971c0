// Owns the command that shows whether references to providers are derived.
import { showReferences } from "@/server/services/dispatch-references/prepare";
import { defineCommand } from "../command";
import { presentReferences } from "../present-references";

export const referencesShow = defineCommand({
  name: "references show",
  summary: "Show since when references to providers are derived, and by which key",
  options: {},
  run: async () => presentReferences(await showReferences()),
});
