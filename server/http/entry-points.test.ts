// Every page and route says how it finds its cell (docs/decisions/0079), and imports nothing that would find another.
import { describe, expect, it } from "vitest";
import { importsOf } from "@/server/testing/architecture/syntax";
import { readTree, type SourceFile } from "@/server/testing/architecture/tree";

interface EntryPoints {
  /** How the cell is found. */
  readonly way: string;
  readonly paths: RegExp;
  /** The modules of the server that they may import. All others would need a cell that nobody has found. */
  readonly mayImport: RegExp;
}

const HOST = /^server\/http\/next-(?:host|refused-methods)$/;

/** The first entry that a path matches is its own. */
const ENTRY_POINTS: readonly EntryPoints[] = [
  { way: "the tag of the API key", paths: /^app\/v1\//, mayImport: HOST },
  {
    way: "the merchant or the reference in a callback",
    paths: /^app\/providers\/\[provider\]\/callbacks\//,
    mayImport: HOST,
  },
  { way: "no merchant: all cells are asked", paths: /^app\/(?:readyz|metrics)\//, mayImport: HOST },
  { way: "none: no database is asked", paths: /^app\/(?:healthz|openapi\.json)\//, mayImport: HOST },
  {
    way: "the tag of the payment's id",
    paths: /^app\/pay\/\[id\]\//,
    mayImport: /^server\/(?:http\/payer|contract)\//,
  },
  { way: "none: no database is asked", paths: /^app\/docs\//, mayImport: /^server\/http\/guides\// },
  { way: "none: no database is asked", paths: /^app\/(?:error|not-found)\.tsx$/, mayImport: /^server\/contract\// },
  {
    way: "the session",
    paths:
      /^app\/(?:\(dashboard\)|api\/(?:auth|export|fresh-sign-in|one-time-link|passkey-challenge|trpc)|dashboard|sign-in|welcome)\/|^app\/(?:layout|page)\.tsx$/,
    mayImport: /^server\/(?:auth|contract|http|trpc|domain)\//,
  },
];

const ENTRY = /(?:^|\/)(?:route\.tsx?|(?:page|layout|template|error|global-error|not-found|loading|default)\.tsx)$/;

const entryOf = (path: string) => ENTRY_POINTS.find(({ paths }) => paths.test(path));

/** Pages and routes without a declared way, and those that import what their way does not allow. */
function undeclared(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith("app/") && ENTRY.test(path))
    .flatMap((file) => {
      const entry = entryOf(file.path);
      if (!entry) return [`${file.path}: say in this test how it finds its cell`];
      const ofServer = importsOf(file).filter(({ target }) => target.startsWith("server/"));
      const foreign = ofServer.filter(({ target }) => !entry.mayImport.test(target));
      return foreign.map(({ target }) => `${file.path} finds its cell by ${entry.way}, and imports ${target}`);
    });
}

const tree = readTree(process.cwd());

describe("pages and routes", () => {
  it("say how they find their cell", () => {
    expect(undeclared(tree)).toEqual([]);
  });

  it("are all looked at", () => {
    const ways = tree
      .filter(({ path }) => path.startsWith("app/") && ENTRY.test(path))
      .map(({ path }) => entryOf(path));
    expect(ways.length).toBeGreaterThan(80);
    for (const entry of ENTRY_POINTS) expect([entry.way, ways.includes(entry)]).toEqual([entry.way, true]);
  });

  it.each([
    ["app/hooks/route.ts", ""],
    ["app/api/reports/route.ts", ""],
    ["app/pay/page.tsx", ""],
    ["app/providers/[provider]/returns/route.ts", ""],
    ["app/pay/[id]/receipt/route.ts", 'import { listPayouts } from "@/server/services/payouts/list";'],
    ["app/v1/reports/route.ts", 'import { query } from "@/server/db/client";'],
    ["app/docs/status/page.tsx", 'import { readProviderStatus } from "@/server/http/instance";'],
  ])("%s is found out as one that says nothing, or reaches past its way", (path, text) => {
    expect(undeclared([{ path, text }])).toHaveLength(1);
  });
});
