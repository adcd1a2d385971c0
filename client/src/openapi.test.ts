// Proves that the checked-in types and the list of amounts are those of the OpenAPI document.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, it } from "vitest";
import { MONEY_MEMBERS } from "./money.js";

const DOCUMENT = new URL("../../docs/openapi.json", import.meta.url);
const NOTICE = "// Generated from docs/openapi.json by `npm run openapi`.\n";

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

it("client/src/openapi.generated.ts is what docs/openapi.json generates (rewrite it with `npm run openapi`)", async () => {
  const text = NOTICE + astToString(await openapiTS(DOCUMENT));
  await expect(text).toMatchFileSnapshot(fileURLToPath(new URL("openapi.generated.ts", import.meta.url)));
});

it("the amounts are the members that the document describes in minor units, and no member of another kind has their name", () => {
  const kinds = new Map<string, Set<boolean>>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, { description = "" }] of Object.entries((value as Schema).properties ?? {}))
      kinds.set(name, (kinds.get(name) ?? new Set()).add(/minor units/i.test(description)));
    for (const part of Object.values(value)) visit(part);
  };
  visit((JSON.parse(readFileSync(DOCUMENT, "utf8")) as { components: unknown }).components);
  const inMinorUnits = [...kinds].filter(([, of]) => of.has(true));
  expect(inMinorUnits.map(([name]) => name).sort()).toEqual([...MONEY_MEMBERS].sort());
  expect(inMinorUnits.filter(([, of]) => of.has(false))).toEqual([]);
});
