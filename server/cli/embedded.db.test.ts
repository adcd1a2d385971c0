// Tests commands on the embedded database: alone, beside a running service, and without leaving anything behind.
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startEmbeddedPostgres } from "@/server/platform/embedded-postgres";
import { documentOf, runCli } from "./testing/run-cli";

/** Each command here starts a process, and some start a database too. */
vi.setConfig({ testTimeout: 90_000 });

let dataDir: string;

function run(...words: string[]) {
  return runCli(words, { DATABASE_URL: null, SLUICE_SECRETS: null, DATA_DIR: dataDir }).then(documentOf);
}

async function isAnswering(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "sluice-cli-"));
  // The database may run as another user, who needs access through this folder to its own.
  await chmod(dataDir, 0o711);
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

it("alone, a command starts the database, migrates it and stops it again; the next command sees its changes", async () => {
  const { id } = await run("merchants", "create", "--name", "Alone", "--currencies", "BRL");
  const left = await readdir(dataDir);
  expect(left).not.toContain("postgres.json");
  const locks = left.filter((file) => file.startsWith("postgres.lock"));
  expect(await Promise.all(locks.map((file) => readFile(join(dataDir, file), "utf8")))).toEqual(["released\n"]);
  expect(left).not.toContain("demo.env");
  const wallets = await run("wallets", "show", "--merchant", String(id), "--environment", "test");
  expect(wallets.data).toEqual([{ currency: "BRL", available: "100000000", held: "0" }]);
});

it("beside a service, commands share its database and secrets, several at once, and leave it running", async () => {
  const service = await startEmbeddedPostgres({ dataDir });
  try {
    const secrets = await readFile(join(dataDir, "secrets"), "utf8");
    const made = await Promise.all(
      ["One", "Two"].map((name) => run("merchants", "create", "--name", name, "--currencies", "JPY", "--with-keys")),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(2);
    expect(await isAnswering(service.url)).toBe(true);
    expect(await readFile(join(dataDir, "secrets"), "utf8")).toBe(secrets);
  } finally {
    await service.stop();
  }
  expect(await isAnswering(service.url)).toBe(false);
});

it("a secret in the environment is reported as unused: the embedded database has its own", async () => {
  const given = Buffer.alloc(32, 7).toString("base64");
  const variables = { DATABASE_URL: null, SLUICE_SECRETS: given, DATA_DIR: dataDir };
  const { exitStatus, stderr } = await runCli(["routes", "show"], variables);
  expect(exitStatus).toBe(0);
  const [warning] = stderr.trim().split("\n");
  expect(JSON.parse(warning ?? "")).toMatchObject({
    level: "warn",
    msg: expect.stringMatching(/^SLUICE_SECRETS is not used/),
  });
});
