// Reads the repository as a list of texts, the input of its rules.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Returns one line per breach, beginning with the file's path. */
export type Rule = (files: readonly SourceFile[]) => string[];

const BINARY = /\.(png|jpe?g|gif|ico|woff2?|wasm|pdf|gz)$/;

/** The plain patterns that this repository's .gitignore uses: a folder, a path, or `*.ending`. */
function ignoredBy(gitignore: string): (path: string) => boolean {
  const patterns = gitignore
    .split("\n")
    .map((line) => line.trim().replace(/\/$/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));
  return (path) =>
    patterns.some((pattern) => {
      if (pattern.startsWith("*")) return path.endsWith(pattern.slice(1));
      return path === pattern || (!pattern.includes("/") && path.endsWith(`/${pattern}`));
    });
}

/** Every text file below `root` that git does not ignore. */
export function readTree(root: string): SourceFile[] {
  const isIgnored = ignoredBy(readFileSync(join(root, ".gitignore"), "utf8"));
  const files: SourceFile[] = [];
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === ".git" || isIgnored(path)) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile() && !BINARY.test(path)) files.push({ path, text: readFileSync(join(root, path), "utf8") });
    }
  };
  visit("");
  return files;
}

/** True for TypeScript and JavaScript. */
export function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/** True for files that only tests run: *.test.ts, *.spec.ts, and folders named testing. */
export function isTestOnly(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path) || path.includes("/testing/");
}
