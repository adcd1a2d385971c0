// Owns the secrets of the embedded default: made once, kept in the data folder, readable by their owner alone.
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadEnv } from "./env";

/**
 * The secrets kept in `dataDir`, newest first, made when there are none. The file holds what SLUICE_SECRETS would, so
 * rotating is putting a new one in front. Throws ConfigurationError when the file was spoiled.
 */
export function keepSecrets(dataDir: string): readonly Buffer[] {
  const path = join(dataDir, "secrets");
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const kept = readFileSync(path, "utf8").trim();
  // A file emptied by accident must not read as "no secrets": what they sealed could never be opened again.
  return loadEnv({ SLUICE_SECRETS: kept === "" ? "(empty)" : kept }).secrets;
}
