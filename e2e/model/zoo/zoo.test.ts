// Planted bugs: every patch matches its place in the sources, and a few representative ones are really caught.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyPatch } from "./anchor";
import { tryToCatch, verdictOf } from "./catch";
import type { Patch } from "./patch";
import { PATCHES } from "./patches";
import { makeScratch, PROJECT_ROOT, type Scratch } from "./scratch";

const REPRESENTATIVES = [
  "a payment is credited whatever the sum",
  "a payment ends without its event",
  "a failed payout keeps its hold",
  "a return before the settlement forgets the settlement",
  "late funds are credited against the policy",
  "a conversion rounds up for the wallet",
];

describe("patches", () => {
  it("are at least 40, each with a unique name", () => {
    expect(new Set(PATCHES.map(({ name }) => name)).size).toBe(PATCHES.length);
    expect(PATCHES.length).toBeGreaterThanOrEqual(40);
  });

  it.each(PATCHES)("match their place: $name", (patch) => {
    const text = readFileSync(join(PROJECT_ROOT, patch.file), "utf8");
    expect(applyPatch(text, patch)).not.toBe(text);
  });
});

describe("an anchor", () => {
  const patch: Patch = {
    name: "example",
    file: "example.ts",
    within: "sum",
    find: "a + b",
    replace: "a - b",
    caughtBy: { model: "payment" },
  };

  it("ignores spaces and other declarations", () => {
    const source = "const other = 1 + 2;\nexport function sum(a: number, b: number) {\n  return a\n    + b;\n}\n";
    expect(applyPatch(source, patch)).toBe(source.replace("a\n    + b", "a - b"));
  });

  it("finds text inside a template", () => {
    const source = "const sum = (a: string) => `WHERE ${a} AND a + b`;\n";
    expect(applyPatch(source, patch)).toContain("AND a - b`");
  });

  it.each([
    ["no such declaration", "const total = a + b;"],
    ["no such expression", "const sum = a * b;"],
    ["two such expressions", "const sum = [a + b, a + b];"],
  ])("fails on %s", (_, source) => expect(() => applyPatch(source, patch)).toThrow("example"));
});

describe("an anchor in a migration", () => {
  const patch: Patch = {
    name: "example",
    file: "example.sql",
    within: 'CREATE UNIQUE INDEX "a"',
    find: "CREATE UNIQUE INDEX",
    replace: "CREATE INDEX",
    caughtBy: { model: "payment" },
  };
  const BODY = "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; SELECT 2 $$";

  it("is the statement that begins so, whatever contains semicolons before it", () => {
    const source = `-- one; two\n${BODY};\nSELECT ';';\n-- an index\nCREATE UNIQUE\n  INDEX "a" ON t (a);\n`;
    expect(applyPatch(source, patch)).toBe(source.replace("CREATE UNIQUE\n  INDEX", "CREATE INDEX"));
    const inBody = { ...patch, within: "CREATE FUNCTION f", find: "SELECT 2", replace: "SELECT 3" };
    expect(applyPatch(source, inBody)).toBe(source.replace("SELECT 2", "SELECT 3"));
  });

  it.each([
    ["no such statement", 'CREATE UNIQUE INDEX "b" ON t (a);'],
    ["two such statements", 'CREATE UNIQUE INDEX "a" ON t (a); CREATE UNIQUE INDEX "a" ON t (b);'],
    ["two such texts", 'CREATE UNIQUE INDEX "a" ON t (a) /* not CREATE UNIQUE INDEX */;'],
  ])("fails on %s", (_, source) => expect(() => applyPatch(source, patch)).toThrow("example"));
});

describe("a run of tests", () => {
  const report = (status: string, ...failureMessages: readonly string[]) => ({
    testResults: [
      { assertionResults: [] },
      {
        assertionResults: [
          { status: "passed", fullName: "a" },
          { status, fullName: "b", failureMessages },
        ],
      },
    ],
  });

  it("catches a bug if a test fails, and says why", () => {
    expect(verdictOf(report("failed", "AssertionError: expected 1 to be 2\n    at x"), [])).toEqual({
      isCaught: true,
      by: "b: AssertionError: expected 1 to be 2",
    });
  });

  it.each(["Error: Test timed out in 60000ms.", "Error: Connection terminated due to connection timeout"])(
    "catches nothing if the machine was too busy: %s",
    (message) => expect(verdictOf(report("failed", message), []).isCaught).toBe(false),
  );

  it("catches nothing if all tests pass, or none could be loaded", () => {
    expect(verdictOf(report("passed"), ["x.test.ts"])).toEqual({ isCaught: false, by: "no failing test in x.test.ts" });
    expect(verdictOf({ testResults: [] }, ["x.test.ts"]).isCaught).toBe(false);
  });

  it("catches nothing if a file cannot be loaded or set up, and says why", () => {
    const skipped = { status: "skipped", fullName: "a", failureMessages: [] };
    const file = { status: "failed", message: "Hook timed out in 60000ms.\n    at x", assertionResults: [skipped] };
    expect(verdictOf({ testResults: [file] }, ["x.test.ts"])).toEqual({
      isCaught: false,
      by: "a test file did not run: Hook timed out in 60000ms.",
    });
  });
});

describe("a planted bug is caught", () => {
  let scratch: Scratch;
  beforeAll(() => {
    scratch = makeScratch();
  });
  afterAll(() => scratch.remove());

  it.each(REPRESENTATIVES)("%s", async (name) => {
    const patch = PATCHES.find((one) => one.name === name);
    if (!patch) throw new RangeError(`no patch ${name}`);
    expect(await tryToCatch(scratch, patch.caughtBy, patch)).toMatchObject({ isCaught: true });
  });
});
