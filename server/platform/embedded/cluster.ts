// Creates a database cluster, its password and its files, atomically.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Location } from "./location";
import type { Programs } from "./programs";

export const SUPERUSER = "sluice";

/** The same locale on every machine: text compares by code point, and a system upgrade invalidates no index. */
const LOCALE = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];

function storedPassword({ passwordFile, pgData }: Location): string {
  if (existsSync(passwordFile)) return readFileSync(passwordFile, "utf8").trim();
  if (existsSync(pgData)) throw new Error(`${passwordFile} is gone, and without it ${pgData} cannot be opened`);
  const password = randomBytes(32).toString("base64url");
  const draft = `${passwordFile}.${process.pid}`;
  writeFileSync(draft, `${password}\n`, { mode: 0o600 });
  renameSync(draft, passwordFile);
  return password;
}

async function initdb(programs: Programs, { user }: Location, words: string[]): Promise<void> {
  const options = { ...user, env: programs.environment, cwd: "/" };
  const child = spawn(programs.initdb, words, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`initdb failed: ${complaint.trim()}`);
}

/** Creates the cluster of a location if it has none. Returns the password of its superuser, SUPERUSER. */
export async function ensureCluster(programs: Programs, location: Location): Promise<string> {
  const password = storedPassword(location);
  if (existsSync(join(location.pgData, "PG_VERSION"))) return password;
  const draft = join(location.home, "data-new");
  const passwordForInitdb = join(location.home, "initdb-password");
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordForInitdb, password, { mode: 0o600 });
  if (location.user) chownSync(passwordForInitdb, location.user.uid, location.user.gid);
  try {
    const authentication = ["--auth=scram-sha-256", `--username=${SUPERUSER}`, `--pwfile=${passwordForInitdb}`];
    await initdb(programs, location, [`--pgdata=${draft}`, ...authentication, ...LOCALE]);
  } finally {
    rmSync(passwordForInitdb, { force: true });
  }
  renameSync(draft, location.pgData);
  return password;
}
