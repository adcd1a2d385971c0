// Keeps the secrets of the embedded default: made once, in the data folder, readable by their owner alone.
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadEnv } from "./env";

/** The text of a file in `dataDir`, which is made with a random key of 32 bytes in base64 where it is missing. */
function keep(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  // A file emptied by accident must not read as "no secret": what it sealed could never be opened again.
  return readFileSync(path, "utf8").trim() || "(empty)";
}

/**
 * The secrets kept in `dataDir`, newest first, made when there are none. The file holds what SLUICE_SECRETS would, so
 * rotating is putting a new one in front. Throws ConfigurationError when the file was spoiled.
 */
export function keepSecrets(dataDir: string): readonly Buffer[] {
  return loadEnv({ SLUICE_SECRETS: keep(dataDir, "secrets") }).secrets;
}

/** The reference key kept in `dataDir`, made when there is none. Throws ConfigurationError when the file was spoiled. */
export function keepReferenceKey(dataDir: string): Buffer {
  const { referenceKey } = loadEnv({ REFERENCE_KEY: keep(dataDir, "reference-key") });
  if (!referenceKey) throw new TypeError("no key was read");
  return referenceKey;
}
