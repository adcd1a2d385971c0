// The location of the embedded database: in the data folder, or elsewhere if its user cannot reach that folder.
import { createHash } from "node:crypto";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, realpathSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { log } from "../log";
import { canEnter, type OsUser, postgresUser } from "./os-user";

export interface Location {
  /** Postgres's own data directory; may not exist yet. */
  readonly pgData: string;
  /** Folder that belongs to the database's user. */
  readonly home: string;
  /** Returns the folder for a copy of the programs; creates it on the first call. */
  readonly baseOfCopies: () => string;
  readonly user: OsUser | null;
  readonly passwordFile: string;
}

/** Creates the data folder: other users can traverse it to their own files, and read nothing. */
export function prepareDataDir(dataDir: string): void {
  if (existsSync(dataDir)) return;
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o711);
}

function isCluster(home: string): boolean {
  return existsSync(join(home, "data", "PG_VERSION"));
}

/** Creates a folder of ours that others can traverse; throws if another user could have planted it. */
function makePassable(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o711 });
  const found = lstatSync(dir);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${dir} is not a folder of this user`);
  chmodSync(dir, 0o711);
}

function makeHome(home: string, user: OsUser | null): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  chmodSync(home, 0o700);
  if (user) chownSync(home, user.uid, user.gid);
}

/** Renames data stored elsewhere whose data folder was deleted: it is neither opened nor lost. */
function setAsideForgotten(home: string): void {
  const data = join(home, "data");
  if (!existsSync(data)) return;
  const setAside = join(home, `data-set-aside-${Date.now()}`);
  renameSync(data, setAside);
  log().warn({ kept: setAside }, "found the database of a deleted data folder; moved it aside to create a new one");
}

function chooseAside(bases: readonly string[], key: string): string {
  for (const base of bases) {
    try {
      makePassable(base);
      return base;
    } catch {
      // Not ours or not writable: try the next one.
    }
  }
  throw new Error(
    `no folder for the database of ${key}: ${bases.join(", ")} cannot be used; set DATA_DIR to another folder`,
  );
}

/**
 * Finds or creates the location of a data folder's database. As root the database runs as another user. If that user
 * cannot traverse the parent folders, the database is stored elsewhere, named after the data folder's path.
 */
export function locate(dataDir: string): Location {
  const inside = join(dataDir, "postgres");
  const key = createHash("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 16);
  const bases = ["/var/lib/sluice", join(tmpdir(), "sluice-root")];
  const homes = [inside, ...bases.map((base) => join(base, key))];
  const user = postgresUser(homes.map((home) => join(home, "data")));
  const passwordFile = join(dataDir, "postgres-password");
  const aside = () => chooseAside(bases, dataDir);
  const place = (home: string, baseOfCopies: () => string): Location => {
    makeHome(home, user);
    return { home, baseOfCopies, user, passwordFile, pgData: join(home, "data") };
  };

  const known = homes.find(isCluster);
  if (!user || known === inside) {
    if (!canEnter(user, dataDir))
      throw new Error(
        `the database's user can no longer reach ${inside}: grant others execute permission on its parent folders`,
      );
    return place(inside, user ? aside : () => dataDir);
  }
  if (!known && canEnter(user, dataDir)) return place(inside, aside);
  const base = known ? dirname(known) : aside();
  const home = join(base, key);
  if (!existsSync(passwordFile)) setAsideForgotten(home);
  log().info({ home }, "the database's user cannot reach the data folder; the database is stored in another folder");
  return place(home, () => base);
}
