// A page gives the browser the texts of every component that it loads, now or later, and no others.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { DASHBOARD_CATALOGUES } from "@/components/i18n/catalogues";

const AREAS = Object.keys(DASHBOARD_CATALOGUES.en);

/** The key of a text in the source: "payouts.approve", or the beginning of a template: `shell.${group}`. */
const KEY = new RegExp(`["\`](${AREAS.join("|")})\\.(?=[\\w$])`, "g");

/** Imports of our own code, also those that load on demand; types bring no code. */
const IMPORT =
  /(?:^|\n)import (?!type )[^;]*?from "((?:\.|@\/)[^"]+)"|\n\} from "((?:\.|@\/)[^"]+)"|import\("(\.[^"]+)"\)/g;

function fileOf(from: string, name: string): string | null {
  const path = name.startsWith("@/") ? name.slice(2) : join(dirname(from), name);
  return [`${path}.tsx`, `${path}.ts`].find((file) => existsSync(file)) ?? null;
}

const known = new Map<string, { areas: readonly string[]; imports: readonly string[] }>();

function read(file: string) {
  let found = known.get(file);
  if (!found) {
    const source = readFileSync(file, "utf8");
    const imports = [...source.matchAll(IMPORT)].flatMap(
      ([, one, other, lazy]) => fileOf(file, one ?? other ?? lazy ?? "") ?? [],
    );
    found = { areas: [...source.matchAll(KEY)].map(([, area = ""]) => area), imports };
    known.set(file, found);
  }
  return found;
}

/** The areas of a file in components/ and of everything that it imports there. */
function areasFrom(start: readonly string[]): Set<string> {
  const areas = new Set<string>();
  const seen = new Set<string>();
  const open = [...start];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || !file.startsWith("components/") || file.startsWith("components/i18n/")) continue;
    seen.add(file);
    const { areas: own, imports } = read(file);
    for (const area of own) areas.add(area);
    open.push(...imports);
  }
  return areas;
}

/** What a page declares: `areas={["payouts"]}`, or `areas: ["payouts"]` for a list. */
function declaredIn(file: string): string[] {
  const [, list = ""] = /\bareas(?:=\{|: )(\[[^\]]*\])/.exec(readFileSync(file, "utf8")) ?? [];
  return [...list.matchAll(/"(\w+)"/g)].map(([, area = ""]) => area);
}

const LAYOUT = "app/(dashboard)/[environment]/layout.tsx";
const FRAME = [LAYOUT, "app/(dashboard)/[environment]/not-found.tsx"].flatMap((file) => read(file).imports);
const frame = areasFrom(FRAME);

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("page.tsx") && !file.includes("intent-list"))
    .map((file) => join(folder, file));
}

/** Rendered on the server alone, with texts that it has there. */
const SERVER_ONLY: readonly string[] = ["components/payout-intents/payout-links.tsx"];

const used = (file: string) => areasFrom(read(file).imports.filter((one) => !SERVER_ONLY.includes(one)));

describe("the texts of a page", () => {
  it("the frame has its own, for every page", () => {
    expect(declaredIn(LAYOUT).sort()).toEqual([...frame].sort());
  });

  it.each(pagesIn("app/(dashboard)"))("%s", (page) => {
    const expected = [...used(page)].filter((area) => !frame.has(area));
    expect(declaredIn(page).sort()).toEqual(expected.sort());
  });

  it.each([...pagesIn("app/sign-in"), ...pagesIn("app/welcome"), "app/page.tsx"])("%s", (page) => {
    expect(declaredIn(page).sort()).toEqual([...used(page)].sort());
  });

  it("guides", () => {
    const pages = pagesIn("app/docs/(guides)");
    expect(declaredIn("app/docs/(guides)/layout.tsx")).toEqual([
      ...areasFrom(pages.flatMap((page) => read(page).imports)),
    ]);
  });
});
