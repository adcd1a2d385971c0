// npm verifies what it installs by the integrity in the lock file, and only what has one.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface Entry {
  readonly integrity?: string;
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

it("every package of the lock file has an integrity, except builds for other platforms", () => {
  const lock = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")) as {
    packages: Record<string, Entry>;
  };
  const unverified = Object.entries(lock.packages).filter(([path, entry]) => path !== "" && !entry.integrity);
  expect(unverified.filter(([, entry]) => !isForAnotherPlatform(entry)).map(([path]) => path)).toEqual([]);
});
