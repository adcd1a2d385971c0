// Locks owned by a process: one live owner at a time, also after a crash.
//
// A lock is a row of files, `<path>.1`, `<path>.2` and so on, of which the highest counts. Whoever takes over from a dead or
// former owner creates the next one, which only one process can. The highest file is never removed, so nobody can begin
// again at a lower number unseen.
import { randomBytes } from "node:crypto";
import { link, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
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

/** Content of a lock that nobody owns any more. */
const RELEASED = "released\n";

async function withDraft<Result>(
  path: string,
  text: string,
  place: (draft: string) => Promise<Result>,
): Promise<Result> {
  const draft = `${path}.draft-${randomBytes(6).toString("hex")}`;
  await writeFile(draft, text, { mode: 0o600 });
  try {
    return await place(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Creates the file atomically; returns false if it exists. */
function createWhole(path: string, text: string): Promise<boolean> {
  return withDraft(path, text, async (draft) => {
    try {
      await link(draft, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    }
  });
}

/** The numbers of the lock's files. Earlier releases have one file without a number, which counts as 0. */
async function numbersOf(path: string): Promise<number[]> {
  const name = basename(path);
  return (await readdir(dirname(path))).flatMap((file) => {
    if (file === name) return [0];
    const number = file.startsWith(`${name}.`) ? file.slice(name.length + 1) : "";
    return /^[1-9]\d{0,14}$/.test(number) ? [Number(number)] : [];
  });
}

function fileOf(path: string, number: number): string {
  return number === 0 ? path : `${path}.${number}`;
}

/** Creates the file of that number, and removes lower ones. Returns false if it or a higher one exists. */
async function take(path: string, number: number, own: string): Promise<boolean> {
  const file = fileOf(path, number);
  if (!(await createWhole(file, own))) return false;
  const numbers = await numbersOf(path);
  const isHighest = numbers.every((other) => other <= number);
  const outdated = isHighest ? numbers.filter((other) => other < number) : [number];
  await Promise.all(outdated.map((other) => rm(fileOf(path, other), { force: true })));
  return isHighest;
}

/** Takes the lock at `path` unless a live process holds it; then returns that owner. */
export async function tryOwnerLock(path: string, role: OwnerRole): Promise<LockAttempt> {
  const own = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) ?? "", role });
  for (;;) {
    const last = Math.max(0, ...(await numbersOf(path)));
    const text = await readIfThere(fileOf(path, last));
    const owner = text === null ? null : parseOwner(text);
    if (owner && processIdentity(owner.pid) === owner.identity) return { acquired: false, owner };
    if (!(await take(path, last + 1, own))) continue;
    const file = fileOf(path, last + 1);
    return { acquired: true, release: () => withDraft(path, RELEASED, (draft) => rename(draft, file)) };
  }
}
