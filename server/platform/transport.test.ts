// Tests that secrets cross a network encrypted unless the operator allows plain text.
import { expect, it } from "vitest";
import { ConfigurationError, loadEnv } from "./env";

const SLUICE_SECRETS = Buffer.alloc(32, 7).toString("base64");

function faultsOf(variables: Record<string, string>): readonly string[] {
  try {
    loadEnv({ SLUICE_SECRETS, ...variables });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

const PLAIN: [string, string][] = [
  ["BASE_URL", "http://pay.example.com"],
  ["BASE_URL", "http://10.0.0.1:3000"],
  ["BASE_URL", "http://0.0.0.0:3000"],
  ["BASE_URL", "http://localhost.example.com"],
  ["DATABASE_URL", "postgres://u:hunter2@db.example.com/sluice"],
  ["DATABASE_URL", "postgres://db/sluice?sslmode=prefer"],
  ["DATABASE_URL", "postgres://db/sluice?sslmode=disable"],
  ["DATABASE_URL", "postgres://db/sluice?sslmode=require&sslmode=disable"],
  ["DATABASE_URL", "postgres://localhost/sluice?host=db.example.com"],
];

it.each(PLAIN)("refuses plain text to another machine: %s=%s", (name, value) => {
  const faults = faultsOf({ [name]: value });
  expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} .*ALLOW_INSECURE=true`))]);
  expect(faults.join()).not.toContain("hunter2");
  expect(faultsOf({ [name]: value, ALLOW_INSECURE: "true" })).toEqual([]);
});

it("refuses the remote default host of the database", () =>
  expect(faultsOf({ DATABASE_URL: "postgres:///sluice", PGHOST: "db.example.com" })).toHaveLength(1));

it.each([
  ["BASE_URL", "https://pay.example.com"],
  ["BASE_URL", "http://localhost:3000"],
  ["BASE_URL", "http://127.0.0.1:3000"],
  ["BASE_URL", "http://[::1]:3000"],
  ["DATABASE_URL", "postgres://db/sluice?sslmode=require"],
  ["DATABASE_URL", "postgres://db/sluice?sslmode=verify-ca"],
  ["DATABASE_URL", "postgresql://db/sluice?sslmode=verify-full"],
  ["DATABASE_URL", "postgres://127.0.0.1/sluice"],
  ["DATABASE_URL", "postgres://[::1]/sluice"],
  ["DATABASE_URL", "postgres:///sluice?host=/var/run/postgresql"],
  ["DATABASE_URL", "postgres://%2Fvar%2Frun%2Fpostgresql/sluice"],
  ["DATABASE_URL", "postgres:///sluice"],
])("accepts %s=%s", (name, value) => expect(faultsOf({ [name]: value })).toEqual([]));
