// Locks owned by a process: one live owner at a time, also after a crash.
import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { processIdentity } from "./process-identity";

/** A service shares its database with commands; a command that starts its own does not share it. */
export type OwnerRole = "service" | "command" | "build";

interface Owner {
  readonly pid: number;
  readonly identity: string;
  readonly role: OwnerRole;
}

export type LockAttempt =
  | { readonly acquired: true; release(): Promise<void> }
  | { readonly acquired: false; readonly owner: Owner };

function parseOwner(text: string): Owner | null {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return null;
  }
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

/** Creates the file atomically; returns false if it exists. */
async function createWhole(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, text, { mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes a dead owner's lock. Checks the moved file again: it may be the lock of a faster process. */
async function removeStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  if ((await readIfThere(aside)) !== stale) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

/** Takes the lock at `path` unless a live process holds it; then returns that owner. */
export async function tryOwnerLock(path: string, role: OwnerRole): Promise<LockAttempt> {
  const own = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) ?? "", role });
  for (;;) {
    if (await createWhole(path, own)) {
      const release = async () => {
        if ((await readIfThere(path)) === own) await rm(path, { force: true });
      };
      return { acquired: true, release };
    }
    const text = await readIfThere(path);
    if (text === null) continue;
    const owner = parseOwner(text);
    if (owner && processIdentity(owner.pid) === owner.identity) return { acquired: false, owner };
    await removeStale(path, text);
  }
}
