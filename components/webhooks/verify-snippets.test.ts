import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SNIPPETS } from "./verify-snippets";

const PAGE = readFileSync("docs/webhooks.md", "utf8");

it.each(SNIPPETS)("the snippet for $language is the one of the documentation", ({ code }) => {
  expect(PAGE).toContain(`\n${code}\n\`\`\`\n`);
});

it("there are three, and each reads the secret from the environment", () => {
  expect(SNIPPETS.map(({ language }) => language)).toEqual(["TypeScript", "Python", "Go"]);
  for (const { code } of SNIPPETS) expect(code).toContain("SLUICE_WEBHOOK_SECRET");
});
