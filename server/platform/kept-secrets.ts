// Stores the secrets of the embedded default: created once, in the data folder, readable only by their owner.
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadEnv } from "./env";

/** Creates a file in `dataDir` with a random key of 32 bytes in base64 if it is missing; returns its absolute path. */
function keep(dataDir: string, name: string): string {
  const path = resolve(join(dataDir, name));
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return path;
}

/**
 * Returns the path of the secrets in `dataDir`, created if missing. The file has the format of SLUICE_SECRETS, so to
 * rotate, put a new secret in front.
 */
export function keepSecrets(dataDir: string): string {
  return keep(dataDir, "secrets");
}

/** Returns the reference key in `dataDir`, created if missing. Throws ConfigurationError if the file is malformed. */
export function keepReferenceKey(dataDir: string): Buffer {
  // A file emptied by accident must not read as "no key": references under a new key would repeat payments.
  const text = readFileSync(keep(dataDir, "reference-key"), "utf8").trim() || "(empty)";
  const { referenceKey } = loadEnv({ REFERENCE_KEY: text });
  if (!referenceKey) throw new TypeError("no key was read");
  return referenceKey;
}
