// Stores the secrets of the embedded default: created once, in the data folder, readable only by their owner.
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadEnv } from "./env";

/** Returns the text of a file in `dataDir`. Creates it with a random key of 32 bytes in base64 if it is missing. */
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
  // A file emptied by accident must not read as "no secret": a new secret could not decrypt existing data.
  return readFileSync(path, "utf8").trim() || "(empty)";
}

/**
 * Returns the secrets in `dataDir`, newest first, created if missing. The file has the format of SLUICE_SECRETS, so to
 * rotate, put a new secret in front. Throws ConfigurationError if the file is malformed.
 */
export function keepSecrets(dataDir: string): readonly Buffer[] {
  return loadEnv({ SLUICE_SECRETS: keep(dataDir, "secrets") }).secrets;
}

/** Returns the reference key in `dataDir`, created if missing. Throws ConfigurationError if the file is malformed. */
export function keepReferenceKey(dataDir: string): Buffer {
  const { referenceKey } = loadEnv({ REFERENCE_KEY: keep(dataDir, "reference-key") });
  if (!referenceKey) throw new TypeError("no key was read");
  return referenceKey;
}
