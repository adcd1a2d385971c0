// `npm run release`: writes the built application, without what only its development needs, as a folder and a tarball.
// The container image has the same files.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfStale, PROJECT_ROOT } from "./build";
import { sourcePaths } from "./source-stamp";

/** Files and folders besides the sources, by which a start recognizes that the build is up to date. */
const MORE = [
  ".config/complete-lock.mjs",
  ".config/generate-client.mjs",
  ".config/prisma.ts",
  ".next",
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "docs",
  "package.json",
  "server/db/generated",
];
/** What the next build, a type check or a debugger reads, and no start. */
const NOT_NEEDED = /^\.next\/(?:cache|dev|diagnostics|types|trace|trace-build)(?:\/|$)|^\.next\/.*\.(?:map|nft\.json)$/;

/** Copies the files of a release of the built project to the folder `to`, which must not exist. */
export async function copyRelease(to: string): Promise<void> {
  const filter = (path: string) => !NOT_NEEDED.test(relative(PROJECT_ROOT, path));
  for (const path of [...(await sourcePaths(PROJECT_ROOT)), ...MORE]) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter };
    cpSync(join(PROJECT_ROOT, path), join(to, path), options);
  }
}

/** Builds, then writes `.release/sluice/` and `.release/sluice-<version>.tar.gz`, which has that folder. */
async function release(): Promise<void> {
  const folder = join(PROJECT_ROOT, ".release");
  const { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8")) as { version: string };
  await buildIfStale();
  rmSync(folder, { recursive: true, force: true });
  await copyRelease(join(folder, "sluice"));
  const tarball = `sluice-${version}.tar.gz`;
  const { status } = spawnSync("tar", ["-czf", tarball, "sluice"], { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error(`tar ended with ${String(status)}`);
  process.stdout.write(`.release/${tarball}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await release();
