// What a service keeps in its data folder that others need beside it: the address of its embedded database, and its keys.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The address of the embedded database of the service with that data folder, which runs. */
export function embeddedUrl(dataDir: string): string {
  return (JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8")) as { url: string }).url;
}

interface KeptData {
  readonly DATABASE_URL: string;
  readonly SLUICE_SECRETS: string;
  readonly REFERENCE_KEY: string;
}

/** The variables with which another process uses the embedded database of a running service. */
export function readKeptData(dataDir: string): KeptData {
  const read = (name: string) => readFileSync(join(dataDir, name), "utf8").trim();
  return { DATABASE_URL: embeddedUrl(dataDir), SLUICE_SECRETS: read("secrets"), REFERENCE_KEY: read("reference-key") };
}
