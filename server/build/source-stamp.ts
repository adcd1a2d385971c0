import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const FOLDERS = ["app", "components", "prisma", "server"];
const FILES = ["next.config.js", "proxy.ts", "package-lock.json", "tsconfig.json", ".postcssrc.json"];
/** Tests and generated files do not change a build. */
const LEFT_OUT = /\.test\.tsx?$|^server[\\/](?:testing|db[\\/]generated)(?:[\\/]|$)/;

async function filesUnder(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

/** Returns the paths of the sources of a build, relative to `root` and sorted; `root` has no trailing slash. */
export async function sourcePaths(root: string): Promise<string[]> {
  const found = await Promise.all(FOLDERS.map((folder) => filesUnder(root, folder)));
  return [...found.flat(), ...FILES].filter((path) => !LEFT_OUT.test(path)).sort();
}

/**
 * Returns the SHA-256 of the paths and contents of the sources below `root`, an absolute path without a trailing slash.
 */
export async function sourceStamp(root: string): Promise<string> {
  const paths = await sourcePaths(root);
  const contents = await Promise.all(paths.map((path) => readFile(join(root, path)).catch(() => null)));
  const hash = createHash("sha256");
  paths.forEach((path, index) => {
    const content = contents[index];
    if (content) hash.update(`${path}\0${content.byteLength}\0`).update(content);
  });
  return hash.digest("hex");
}
