import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { coverageTables } from "./testing/coverage-table";

const PAGE = new URL("../../docs/providers.md", import.meta.url);
const BLOCK = /(<!-- coverage: npm run coverage -->\n)[\s\S]*?(\n<!-- end -->)/;

it("docs/providers.md says what each adapter carries", async () => {
  const page = readFileSync(PAGE, "utf8");
  expect(page).toMatch(BLOCK);
  const current = page.replace(BLOCK, (_all, start: string, end: string) => `${start}\n${coverageTables()}\n${end}`);
  await expect(current).toMatchFileSnapshot("../../docs/providers.md");
});
