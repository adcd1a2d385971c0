// The operating system user that Postgres runs as. Postgres rejects root, so a service started by root provides another.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/** Environment of the database's programs, without the service's own, which contains secrets. */
export const PROGRAM_ENVIRONMENT: NodeJS.ProcessEnv = {
  NODE_ENV: "production",
  LC_ALL: "C",
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
};

function run(program: string, ...words: string[]): string | null {
  const { status, stdout } = spawnSync(program, words, { encoding: "utf8", env: PROGRAM_ENVIRONMENT, cwd: "/" });
  return status === 0 ? stdout.trim() : null;
}

function find(name: string): OsUser | null {
  const uid = run("id", "-u", name);
  const gid = run("id", "-g", name);
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}

/** Returns the user `postgres`, created if missing, or `nobody` if users cannot be created. */
function unprivilegedUser(): OsUser {
  const known = find("postgres");
  if (known) return known;
  run(
    "useradd",
    "--system",
    "--user-group",
    "--no-create-home",
    "--home-dir",
    "/nonexistent",
    "--shell",
    "/bin/false",
    "postgres",
  );
  const user = find("postgres") ?? find("nobody");
  if (!user)
    throw new Error(
      "Postgres does not run as root, and no other user could be found or created; start Sluice as another user",
    );
  return user;
}

/**
 * Returns the user to run Postgres as, or null if the service is not root. The owner of existing data decides, since a
 * data folder never changes its user.
 */
export function postgresUser(possibleDataDirs: readonly string[]): OsUser | null {
  if (process.getuid?.() !== 0) return null;
  for (const dir of possibleDataDirs) {
    const mark = join(dir, "PG_VERSION");
    if (!existsSync(mark)) continue;
    const { uid, gid } = statSync(mark);
    if (uid !== 0) return { uid, gid };
  }
  return unprivilegedUser();
}

/** Returns true if that user can enter the folder; tests it with the system, so that access lists count too. */
export function canEnter(user: OsUser | null, dir: string): boolean {
  const options = { ...user, env: PROGRAM_ENVIRONMENT, cwd: "/" };
  return spawnSync("/bin/sh", ["-c", 'cd -- "$0"', dir], options).status === 0;
}
