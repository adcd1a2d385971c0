import { checkInvariants } from "@/server/services/invariants/check";
import { defineCommand } from "../command";

export const invariants = defineCommand({
  name: "invariants",
  summary: "Check all invariants of the database, read-only; exits 1 on any violation",
  cells: "every",
  options: {},
  run: () => checkInvariants(),
  succeeded: (document) => "violations" in document && document.violations === 0,
});
