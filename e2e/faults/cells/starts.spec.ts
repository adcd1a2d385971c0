// The start of a service over two cells: one of them is away, has an older schema, or is a copy of the other.
import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { createPayment, createPayout, untilStatus } from "../../rest/calls";
import { openDatabase } from "../../rest/database";
import { createApi, fetchValidator } from "../../support/api";
import { cliWith } from "../../support/cli";
import { expect, test } from "../../support/fixtures";
import { createMerchant, type Merchant } from "../../support/merchant";
import { type OperatedService, startOperator } from "../../support/operator";
import { type Service, startService } from "../../support/service";
import { PROJECT_ROOT } from "../../support/service-process";
import { tier } from "../../support/tier";
import { type CellServers, cellsVariable, startCellServers } from "../../support/two-cells";
import { signalWorkers, workersOf } from "../../support/worker-processes";

const POLL = { timeout: 120_000 };
const NEWEST =
  "SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1 DESC LIMIT 1";

let servers: CellServers;
let service: Service;
let operated: OperatedService;
let ofMain: Merchant;
let ofEu2: Merchant;

const CREATE_RECORD = `
  CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
    migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;
const RECORD = `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, now(), 1)`;

/** Makes the database what the release before the newest migration left. Returns the name of that migration. */
async function migrateToTheOneBefore(url: string): Promise<string> {
  const folder = join(PROJECT_ROOT, "prisma/migrations");
  const names = readdirSync(folder)
    .filter((name) => /^\d/.test(name))
    .sort();
  const newest = names.pop() ?? "";
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(CREATE_RECORD);
  for (const name of names) {
    const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
    await client.query(sql);
    await client.query(RECORD, [randomUUID(), createHash("sha256").update(sql).digest("hex"), name]);
  }
  await client.end();
  return newest;
}

async function apiOf({ keys }: Merchant) {
  return createApi(service.baseUrl, keys.test, await fetchValidator(service.baseUrl));
}

async function payOut(merchant: Merchant): Promise<void> {
  const api = await apiOf(merchant);
  // The approver must be older than the payout.
  const email = `${randomUUID()}@staff.example`;
  await operated.operator.run("members", "create", "--merchant", merchant.id, "--email", email, "--roles", "approver");
  const { id } = await createPayout(api, { amount: "3000" });
  await operated.operator.run("payouts", "approve", "--id", id, "--as", email);
  await untilStatus(api, id, ["succeeded"]);
}

async function readiness(): Promise<unknown> {
  return (await fetch(`${service.baseUrl}/readyz`)).json();
}

if (tier === "deep") {
  test.describe.configure({ mode: "serial", timeout: 400_000 });
  test.beforeAll(async () => {
    test.setTimeout(400_000);
    servers = await startCellServers();
  });
  test.afterAll(async () => {
    await operated?.operator.close();
    await service?.dispose();
    await servers.close();
  });

  test("with a cell that is away and has an older schema, the other is served; the cell is migrated at its return", async () => {
    const { eu2 } = servers.of;
    const newest = await migrateToTheOneBefore(eu2.url);
    await eu2.stop("fast");
    const database = servers.variables;
    service = await startService({ database, env: { WEB_CONCURRENCY: "2", WORKER_CONCURRENCY: "2" } });
    const address = { baseUrl: service.baseUrl, dataDir: service.dataDir, database };
    operated = { ...address, operator: await startOperator(address) };
    ofMain = await createMerchant(operated, { cell: "main" });
    await payOut(ofMain);
    await expect(createMerchant(operated, { cell: "eu2" })).rejects.toThrow("service_unavailable");
    await expect.poll(readiness, POLL).toEqual({ status: "ready", absent_cells: ["eu2"] });

    await eu2.start();
    await expect.poll(readiness, POLL).toEqual({ status: "ready" });
    const stored = await openDatabase("", eu2.url);
    expect(await stored.query(NEWEST)).toEqual([{ name: newest }]);
    expect(await stored.query("SELECT cell, cell_tag FROM installation")).toEqual([{ cell: "eu2", cell_tag: "e2" }]);
    await stored.close();
    ofEu2 = await createMerchant(operated, { cell: "eu2" });
    await payOut(ofEu2);
  });

  test("workers that start while a cell is away work for the other, and for the cell once it is back", async () => {
    const { eu2 } = servers.of;
    const api = await apiOf(ofEu2);
    const before = await createPayment(api, { amount: "3000" });
    await eu2.killAll();
    const former = workersOf(service);
    signalWorkers(service, "SIGKILL");
    await expect.poll(() => workersOf(service).filter((pid) => !former.includes(pid)).length, POLL).toBe(2);
    await payOut(ofMain);
    await eu2.start();
    await expect.poll(readiness, POLL).toEqual({ status: "ready" });
    await payOut(ofEu2);
    await expect.poll(async () => (await api.get(`/payment_intents/${before.id}`)).status, POLL).toBe(200);
  });

  test("a cell whose database is a copy of another's is refused, and the right one is served again", async () => {
    const { main, eu2 } = servers.of;
    await service.stop();
    await operated.operator.close();
    const admin = new Client({ connectionString: main.url.replace(/\/sluice$/, "/postgres") });
    await admin.connect();
    await admin.query("CREATE DATABASE copy TEMPLATE sluice");
    await admin.end();
    const copy = main.url.replace(/\/sluice$/, "/copy");
    await expect(service.restart({ CELLS: cellsVariable(copy) })).rejects.toThrow(
      "CELLS: the url of eu2 leads to the database of the cell main",
    );
    await service.restart({ CELLS: cellsVariable(eu2.url) });
    operated = { ...operated, operator: await startOperator(operated) };
    await payOut(ofMain);
    await payOut(ofEu2);
    expect(await cliWith(servers.variables, "cells", "status")).toMatchObject({
      data: [expect.objectContaining({ name: "main" }), expect.objectContaining({ name: "eu2" })],
    });
  });
}
