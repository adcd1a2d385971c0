// The production build. `npm run build` runs it, and so does a start whose sources have changed since the last build.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildVariables } from "@/server/platform/env";
import { tryOwnerLock } from "@/server/platform/owner-lock";
import { bundleServer } from "./bundle";
import { copyReferenceScript } from "./reference-script";
import { sourceStamp } from "./source-stamp";

/** The project's folder, whatever the working directory is. */
export const PROJECT_ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const STAMP = join(PROJECT_ROOT, ".next", "sluice-sources");
/** Next writes it at the end of a build. */
const BUILD_ID = join(PROJECT_ROOT, ".next", "BUILD_ID");
/** Next empties its folder at each build, except for this subfolder. */
const LOCK = join(PROJECT_ROOT, ".next", "cache", "sluice-build.lock");
const SCHEMA = join(PROJECT_ROOT, "prisma", "schema.prisma");
const GENERATED = join(PROJECT_ROOT, "server", "db", "generated", "client.ts");

async function runProgram(words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<void> {
  const [program = "", ...rest] = words;
  const env = buildVariables({ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...more });
  const child = spawn(process.execPath, [join(PROJECT_ROOT, "node_modules", program), ...rest], {
    cwd: PROJECT_ROOT,
    env,
    // Standard output belongs to the command that starts the build, so the build writes to standard error.
    stdio: ["ignore", 2, 2],
  });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
  if (code !== 0) throw new Error(`${words.join(" ")} failed with ${String(code)}`);
}

/** Installing the packages generates the client. Generate it again if that was skipped or the schema is newer. */
function isClientMade(): boolean {
  return existsSync(GENERATED) && statSync(GENERATED).mtimeMs >= statSync(SCHEMA).mtimeMs;
}

/** True if the last finished build used the current sources. */
function isBuilt(stamp: string): boolean {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp;
}

/** True if nothing is to be built: a start can use the bundles. */
export async function isUpToDate(): Promise<boolean> {
  return isClientMade() && isBuilt(await sourceStamp(PROJECT_ROOT));
}

/** Generates Prisma's client if it is missing or older than the schema. Throws if that fails. */
export async function makeClientIfStale(): Promise<void> {
  if (!isClientMade()) await runProgram(["prisma/build/index.js", "generate"]);
}

/** Waits until no other start builds in this folder; returns the function that unlocks it. */
async function lockBuild(): Promise<() => Promise<void>> {
  mkdirSync(dirname(LOCK), { recursive: true });
  for (;;) {
    const attempt = await tryOwnerLock(LOCK, "build");
    if (attempt.acquired) return attempt.release;
    await sleep(200);
  }
}

/**
 * Builds what is missing or stale; returns false if nothing was. Throws if a build fails. The first build of a start keeps no
 * cache for the next one: writing it takes a quarter of the build's CPU time and 160 MB, and many never build again.
 */
export async function buildIfStale({ keepsCache = existsSync(BUILD_ID) } = {}): Promise<boolean> {
  if (await isUpToDate()) return false;
  const release = await lockBuild();
  try {
    await makeClientIfStale();
    const stamp = await sourceStamp(PROJECT_ROOT);
    if (isBuilt(stamp)) return false;
    rmSync(STAMP, { force: true });
    await runProgram(["next/dist/bin/next", "build"], { SLUICE_BUILD_CACHE: String(keepsCache) });
    copyReferenceScript(PROJECT_ROOT, ".next");
    await bundleServer(PROJECT_ROOT);
    writeFileSync(STAMP, stamp);
    return true;
  } finally {
    await release();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = await buildIfStale({ keepsCache: true });
  if (!built) process.stderr.write("The build is up to date.\n");
}
