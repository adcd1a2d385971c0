// Gives a folder packages without a registry: those of this project, with all that they need, as hard links.
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROJECT_ROOT } from "./service-process";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const INSTALLED = join(PROJECT_ROOT, "node_modules");

/** Returns the packages with those that they depend on. Optional ones that are not installed are left out. */
function withDependencies(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const manifest = join(INSTALLED, name, "package.json");
    if (found.has(name) || !existsSync(manifest)) continue;
    found.add(name);
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, "utf8")) as Manifest;
    waiting.push(...Object.keys({ ...dependencies, ...optionalDependencies }));
  }
  return found;
}

function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) linkFolder(join(from, entry.name), join(to, entry.name));
    else if (entry.isFile()) linkSync(join(from, entry.name), join(to, entry.name));
  }
}

/** Puts the packages into the folder's `node_modules`. The folder must be on this project's file system. */
export function borrowPackages(folder: string, names: readonly string[]): void {
  for (const name of withDependencies(names)) {
    const target = join(folder, "node_modules", name);
    mkdirSync(dirname(target), { recursive: true });
    linkFolder(join(INSTALLED, name), target);
  }
}
