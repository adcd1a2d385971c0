// The newest migration of this release, also for code that Next bundles, from where the file beside it cannot be found.
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Its name. Throws if the process does not run in the project's folder. */
export async function newestMigration(): Promise<string> {
  const entries = await readdir(join(process.cwd(), "prisma", "migrations"), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names.sort().at(-1) ?? "";
}
