// The command that turns derived references on.
import { deriveReferences } from "@/server/services/dispatch-references/prepare";
import { defineCommand } from "../command";
import { presentReferences } from "../present-references";

export const referencesDerive = defineCommand({
  name: "references derive",
  summary: "Derive references to providers from now on; every process must run this release with REFERENCE_KEY",
  options: {},
  run: async () => presentReferences(await deriveReferences()),
});
