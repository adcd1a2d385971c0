// Starts deriving references: at the first start or by the operator's command, with one permanent key.
import { type Installation, readInstallation, startDerivingReferences } from "@/server/db/installation";
import { hasMerchantsAcrossAll } from "@/server/db/merchants";
import { referenceKeyId } from "@/server/platform/dispatch-reference";
import { ConfigurationError, env } from "@/server/platform/env";
import { log } from "@/server/platform/log";

export type { Installation } from "@/server/db/installation";

const MISSING =
  "REFERENCE_KEY is missing: this database derives dispatch references from it; set the key that was in use when that " +
  "began (it is part of the backup)";
const WRONG =
  "REFERENCE_KEY differs from the key from which this database derives dispatch references; it never changes, " +
  "so restore the original key from the backup";
const NO_KEY = "REFERENCE_KEY is missing: 32 bytes in base64 (openssl rand -base64 32)";

/**
 * Runs at startup, after migrations: a database without merchants starts deriving references if there is a key. Throws
 * ConfigurationError if the database derives references and the key is missing or different.
 */
export async function prepareReferences(): Promise<void> {
  const { referenceKeyId: expected } = await readInstallation();
  const { referenceKey } = env();
  if (expected !== null) return requireKey(expected, referenceKey);
  if (referenceKey && !(await hasMerchantsAcrossAll())) {
    return startDerivingReferences(referenceKeyId(referenceKey));
  }
  const todo = referenceKey ? "run: cli references derive" : "set REFERENCE_KEY, then run: cli references derive";
  log().warn(
    { todo },
    "dispatch references are not derived: after a restore, a provider can execute a retry a second time",
  );
}

/**
 * Derives references of new objects from now on, in every process within a second. First restart every process with
 * this release and the key. Throws ConfigurationError without the key, or if another is in use.
 */
export async function deriveReferences(): Promise<Installation> {
  const { referenceKey } = env();
  if (!referenceKey) throw new ConfigurationError([NO_KEY]);
  await startDerivingReferences(referenceKeyId(referenceKey));
  const installation = await readInstallation();
  requireKey(installation.referenceKeyId ?? "", referenceKey);
  return installation;
}

/** Returns whether references are derived, since when, and with which key. */
export function showReferences(): Promise<Installation> {
  return readInstallation();
}

function requireKey(expected: string, key: Buffer | null): void {
  if (!key) throw new ConfigurationError([MISSING]);
  if (referenceKeyId(key) !== expected) throw new ConfigurationError([WRONG]);
}
