// npm verifies what it installs by the integrity in the lock file, and only what has one.
import { readFileSync } from "node:fs";
import { minVersion, satisfies } from "semver";
import { expect, it } from "vitest";

interface Entry {
  readonly integrity?: string;
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** Builds for platforms that the registry mirror of this repository does not hold; `npm run dependencies` writes them. */
function isForAnotherPlatform({ optional = false, os = [], cpu = [], libc = [] }: Entry): boolean {
  const excludes = (listed: readonly string[], ours: string) => listed.length > 0 && !listed.includes(ours);
  return optional && (excludes(os, "linux") || excludes(cpu, "x64") || excludes(libc, "glibc"));
}

const readJson = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8")) as unknown;
const { packages } = readJson("package-lock.json") as { packages: Record<string, Entry> };

it("every package runs on the oldest Node that we support, so an install prints no warning", () => {
  const { engines } = readJson("package.json") as { engines: { node: string } };
  const oldest = minVersion(engines.node)?.version ?? "";
  const warned = Object.entries(packages).filter(([, entry]) => !satisfies(oldest, entry.engines?.node ?? "*"));
  expect(warned.map(([path, entry]) => `${path} needs Node ${entry.engines?.node}`)).toEqual([]);
});

it("every package of the lock file has an integrity, except builds for other platforms", () => {
  const unverified = Object.entries(packages).filter(([path, entry]) => path !== "" && !entry.integrity);
  expect(unverified.filter(([, entry]) => !isForAnotherPlatform(entry)).map(([path]) => path)).toEqual([]);
});
