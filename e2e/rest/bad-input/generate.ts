// Owns writing the checked-in tables anew: node --import tsx e2e/rest/bad-input/generate.ts
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CATEGORIES, makeOddInputs, ODD_CATEGORY } from "./categories";
import { renderTable, tablePath } from "./table";

for (const [category, make] of [...Object.entries(CATEGORIES), [ODD_CATEGORY, makeOddInputs] as const]) {
  const cases = make();
  const path = tablePath(category);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, renderTable(cases));
  process.stdout.write(`${category}: ${cases.length}\n`);
}
