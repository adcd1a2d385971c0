import { expect, it } from "vitest";
import { verificationSnippets } from "./verification";

it("the document has code in three languages, each with the secret from the environment and what it needs", async () => {
  const snippets = await verificationSnippets();
  expect(snippets.map(({ language }) => language)).toEqual(["TypeScript", "Python", "Go"]);
  for (const { code } of snippets) expect(code).toContain("SLUICE_WEBHOOK_SECRET");
  expect(snippets[0]?.lead).toMatch(/^TypeScript, with npm install standardwebhooks/);
  expect(snippets[0]?.code).toMatch(/^import \{ createServer \}[\s\S]*listen\(8080\);$/);
  expect(snippets[2]?.code).toMatch(/^\/\/ verify reports[\s\S]*\n\}$/);
});
