import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PROJECT_ROOT } from "./build";
import { bundleServer } from "./bundle";

let folder: string;
let root: string;

function write(path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}

const run = (at: string, name: string) =>
  execFileSync(process.execPath, [join(at, ".next/sluice", `${name}.mjs`)], { encoding: "utf8" });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-bundle-"));
  root = join(folder, "project");
  write("tsconfig.json", JSON.stringify({ compilerOptions: { paths: { "@/*": ["./*"] } } }));
  write("server/texts/word.txt", "a word");
  write(
    "server/texts/word.ts",
    `import { readFileSync } from "node:fs";
     export const word: string = readFileSync(new URL("./word.txt", import.meta.url), "utf8");`,
  );
  write("server/one.ts", `import { word } from "@/server/texts/word"; process.stdout.write("one: " + word);`);
  write("server/deep/two.ts", `import { word } from "../texts/word"; process.stdout.write("two: " + word);`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ENTRIES = { one: "server/one.ts", two: "server/deep/two.ts" };

it("has each entry in a file that runs without a compiler", async () => {
  await bundleServer(root, ENTRIES);
  expect([run(root, "one"), run(root, "two")]).toEqual(["one: a word", "two: a word"]);
});

it("finds the files beside its modules also after the project was moved, as a release is", async () => {
  await bundleServer(root, ENTRIES);
  const moved = join(folder, "elsewhere", "release");
  mkdirSync(join(folder, "elsewhere"));
  renameSync(root, moved);
  expect(run(moved, "two")).toBe("two: a word");
});

it("leaves packages where they are installed", async () => {
  write("server/one.ts", `import { Client } from "pg"; process.stdout.write(typeof Client);`);
  symlinkSync(join(PROJECT_ROOT, "node_modules"), join(root, "node_modules"));
  await bundleServer(root, { one: "server/one.ts" });
  expect(run(root, "one")).toBe("function");
  rmSync(join(root, "node_modules"));
  expect(() => run(root, "one")).toThrow("Cannot find package 'pg'");
});

it("replaces what an earlier build left, and fails for an entry with errors", async () => {
  await bundleServer(root, ENTRIES);
  await bundleServer(root, { one: "server/one.ts" });
  expect(() => run(root, "two")).toThrow("Cannot find module");
  write("server/one.ts", "import './missing';");
  await expect(bundleServer(root, { one: "server/one.ts" })).rejects.toThrow("missing");
});
