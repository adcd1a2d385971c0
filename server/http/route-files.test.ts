import { describe, expect, it } from "vitest";
import { readTree, type SourceFile } from "@/server/testing/architecture/tree";
import { OPERATIONS } from "./routes";

/** Answered by the same handler, outside /v1 and without credentials of a merchant. */
const OTHER_PATHS = [
  "GET /healthz",
  "GET /readyz",
  "GET /metrics",
  "GET /openapi.json",
  "POST /providers/:provider/callbacks",
];

const ROUTE_FILE = /^app\/(?:v1|healthz|readyz|metrics|openapi\.json|providers)\/(?:.+\/)?route\.ts$/;
const files = readTree(process.cwd()).filter(({ path }) => ROUTE_FILE.test(path));

/** `app/v1/events/[id]/route.ts` → `/v1/events/:id` */
function pathOf(file: string): string {
  return file
    .replace(/^app/, "")
    .replace(/\/route\.ts$/, "")
    .replaceAll(/\[(\w+)\]/g, ":$1");
}

function operationsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/\banswer as ([A-Z]+)/g)].map(([, method]) => `${method} ${pathOf(path)}`);
}

describe("the route files of the API", () => {
  it("export each operation of the route table, and no other", () => {
    const expected = [...OPERATIONS.map(({ method, path }) => `${method} /v1${path}`), ...OTHER_PATHS];
    expect(files.flatMap(operationsOf).sort()).toEqual(expected.sort());
  });

  it("answer every other method, and every unknown path below /v1, in the envelope too", () => {
    const incomplete = files.filter(({ text }) => !text.includes('export * from "@/server/http/next-refused-methods"'));
    expect(incomplete).toEqual([]);
    expect(files.map(({ path }) => path)).toContain("app/v1/[[...path]]/route.ts");
  });
});
