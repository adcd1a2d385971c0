// Completes the configuration with the operator's database and secrets, or the embedded defaults.
import { connectOrStartEmbeddedPostgres, type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres";
import { env, provideRuntime } from "./env";
import { keepReferenceKey, keepSecrets } from "./kept-secrets";
import { log } from "./log";

export interface OpenRuntime {
  /** Null if the operator named a database. */
  readonly embedded: EmbeddedPostgres | null;
  /** Stops the embedded database, unless it belongs to another process. */
  close(): Promise<void>;
}

/**
 * Completes `env()` with a database and secrets in this process and its children. A `service` owns the embedded
 * database; a `command` uses a running service's, or its own until it closes. Throws ConfigurationError.
 */
export async function openRuntime(role: "service" | "command"): Promise<OpenRuntime> {
  const { databaseUrl, dataDir, secrets } = env();
  if (databaseUrl !== null) return { embedded: null, close: async () => undefined };
  if (secrets.length > 0) {
    log().warn(
      { dataDir },
      "SLUICE_SECRETS is not used: without DATABASE_URL, the secrets are those of the data folder, in its file `secrets`",
    );
  }
  const embedded = await (role === "service" ? startEmbeddedPostgres : connectOrStartEmbeddedPostgres)({ dataDir });
  try {
    const referenceKey = env().referenceKey ?? keepReferenceKey(dataDir);
    provideRuntime({ databaseUrl: embedded.url, secretsFile: keepSecrets(dataDir), referenceKey });
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return { embedded, close: () => embedded.stop() };
}
