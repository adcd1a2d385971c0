import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { buildVariables, ConfigurationError, type Env, loadEnv, provideRuntime } from "./env";
import { keepSecrets } from "./kept-secrets";

const SECRET = Buffer.alloc(32, 7).toString("base64");
const OLDER = Buffer.alloc(32, 9).toString("base64");
const DATABASE_URL = "postgres://localhost/db";

const shared = globalThis as typeof globalThis & { sluiceEnv?: Env };
let folder: string;

function file(text: string): string {
  const path = join(folder, "given");
  writeFileSync(path, text);
  return path;
}

function faultsOf(source: Record<string, string>): readonly string[] {
  try {
    loadEnv(source);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-secrets-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  delete shared.sluiceEnv;
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("SLUICE_SECRETS_FILE", () => {
  it("replaces the variable, in the same format", () => {
    const { secrets } = loadEnv({ DATABASE_URL, SLUICE_SECRETS_FILE: file(`${SECRET}, ${OLDER}\n`) });
    expect(secrets.map((secret) => secret[0])).toEqual([7, 9]);
  });

  it("exists for the secrets of records too", () => {
    const source = { SLUICE_SECRETS: SECRET, SLUICE_RECORD_SECRETS_FILE: file(OLDER) };
    expect(loadEnv(source).recordSecrets.map((secret) => secret[0])).toEqual([9]);
    expect(faultsOf({ ...source, SLUICE_RECORD_SECRETS: SECRET })).toEqual([
      "SLUICE_RECORD_SECRETS_FILE is set beside SLUICE_RECORD_SECRETS: set only one of them",
    ]);
  });

  it("is rejected beside the variable: one of them would be ignored in silence", () => {
    expect(faultsOf({ DATABASE_URL, SLUICE_SECRETS: SECRET, SLUICE_SECRETS_FILE: file(SECRET) })).toEqual([
      "SLUICE_SECRETS_FILE is set beside SLUICE_SECRETS: set only one of them",
    ]);
  });

  it("is rejected if the file is missing, empty or malformed, without repeating path or content", () => {
    const missing = faultsOf({ DATABASE_URL, SLUICE_SECRETS_FILE: SECRET });
    expect(missing).toEqual(["SLUICE_SECRETS_FILE names a file that cannot be read (ENOENT)"]);
    const empty = faultsOf({ DATABASE_URL, SLUICE_SECRETS_FILE: file(" \n") });
    expect(empty).toEqual(["SLUICE_SECRETS_FILE names an empty file; restore its secrets"]);
    const malformed = faultsOf({ DATABASE_URL, SLUICE_SECRETS_FILE: file("c2hvcnQ=") });
    expect(malformed).toEqual([expect.stringMatching(/^SLUICE_SECRETS_FILE, entry 1 of 1, must be 32 bytes/)]);
    expect(malformed.join()).not.toContain("c2hvcnQ=");
  });
});

describe("the embedded default's secrets", () => {
  it("reach this process and its children by their file, not by the environment", () => {
    vi.stubEnv("DATABASE_URL", undefined);
    vi.stubEnv("SLUICE_SECRETS_FILE", undefined);
    vi.stubEnv("SLUICE_SECRETS", SECRET);
    const path = keepSecrets(folder);
    const { secrets } = provideRuntime({ databaseUrl: DATABASE_URL, secretsFile: path });
    expect(secrets).toEqual(loadEnv({ SLUICE_SECRETS_FILE: path }).secrets);
    expect(process.env.SLUICE_SECRETS).toBeUndefined();
    expect(process.env.SLUICE_SECRETS_FILE).toBe(path);
  });

  it("are created once and survive the next start", () => {
    const path = keepSecrets(folder);
    const { secrets } = loadEnv({ SLUICE_SECRETS_FILE: path });
    expect(loadEnv({ SLUICE_SECRETS_FILE: keepSecrets(folder) }).secrets).toEqual(secrets);
  });
});

it("a build receives no secret of the service or of the machine", () => {
  const secrets = {
    SLUICE_SECRETS: SECRET,
    SLUICE_SECRETS_FILE: "/run/secrets/sluice",
    REFERENCE_KEY: OLDER,
    DATABASE_URL: "postgres://u:hunter2@localhost/db",
    SMTP_URL: "smtps://u:hunter2@mail.example.com",
    PROVIDERS: '[{"secret":"hunter2"}]',
    PGPASSWORD: "hunter2",
    AWS_SECRET_ACCESS_KEY: "hunter2",
    NODE_AUTH_TOKEN: "hunter2",
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: "hunter2",
  };
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
  const variables = buildVariables({ NODE_ENV: "production" });
  expect(variables).toMatchObject({ PATH: process.env.PATH, NODE_ENV: "production" });
  expect(Object.keys(variables).filter((name) => name in secrets)).toEqual([]);
  expect(Object.values(variables).join()).not.toContain("hunter2");
});
