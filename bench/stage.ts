// The environment of the cases: the service as its operator starts it, merchants, seeded rows, the peers' tables.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "@/e2e/rest/database";
import { basicAuthorization } from "@/e2e/support/api";
import { embeddedUrl, readKeptData } from "@/e2e/support/kept-data";
import { createMerchant } from "@/e2e/support/merchant";
import { type Service, startService } from "@/e2e/support/service";
import { PROJECT_ROOT, type Variables } from "@/e2e/support/service-process";
import { COLD_START } from "./names";
import type { Options } from "./options";
import { makePeerTables, saveSample, takeSample } from "./peer/rows";
import { memoryOf } from "./proc";
import type { Figure } from "./results";
import { seedPayments } from "./seed";

export interface Party {
  readonly id: string;
  readonly authorization: string;
}

export interface Stage {
  readonly service: Service;
  readonly database: Database;
  readonly databaseUrl: string;
  /** How long the first start took. */
  readonly starts: readonly Figure[];
  readonly samplePath: string;
  /** The writing merchant; it has some seeded payments, so that the planner has statistics about it. */
  readonly writer: Party;
  /** The merchant whose seeded payments all contestants read and list. */
  readonly reader: Party;
  /** Adds a merchant, which takes as long as a command. */
  addParty(name: string, currencies?: readonly string[]): Promise<Party>;
  seed(party: Party, rows: number): Promise<void>;
  /** Starts another service on the same database; the caller disposes of it. */
  startBeside(variables: Variables): Promise<Service>;
  /** Starts the service again, with variables changed, and reconnects to its database. */
  reopen(changes?: Variables): Promise<void>;
  close(): Promise<void>;
}

/** Payments to read and list: enough for the page after 1,000 pages of 25. */
const READER_ROWS = 26_000;
/**
 * Enough for the planner's statistics. pgbench writes its values into the statements; for a merchant
 * without statistics it would scan all of the merchant's rows instead of using the key.
 */
const WRITER_ROWS = 5_000;

const WITHOUT_LIMITS: Variables = { RATE_LIMIT_PER_SECOND: "1000000", RATE_LIMIT_BURST: "1000000" };

export function paymentBody(merchantReference: string) {
  return {
    amount: "1050",
    currency: "BRL",
    country: "BR",
    payment_method: "BR_PIX",
    merchant_reference: merchantReference,
  };
}

async function postOne(baseUrl: string, party: Party): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/payment_intents`, {
    method: "POST",
    headers: { authorization: party.authorization, "content-type": "application/json", "idempotency-key": "sample" },
    body: JSON.stringify(paymentBody("sample")),
  });
  if (response.status !== 201) throw new Error(`the first payment was answered ${response.status}`);
  return ((await response.json()) as { id: string }).id;
}

/** Lets the next start build the pages like the first start after a download. */
function forgetBuild(): void {
  for (const part of ["sluice-sources", "cache"])
    rmSync(join(PROJECT_ROOT, ".next", part), { recursive: true, force: true });
}

async function firstStart(
  { isQuick }: Pick<Options, "isQuick">,
  variables: Variables,
): Promise<{ service: Service; starts: Figure[] }> {
  if (!isQuick) forgetBuild();
  const from = performance.now();
  const service = await startService({ env: { ...WITHOUT_LIMITS, ...variables } });
  const value = (performance.now() - from) / 1_000;
  const name = COLD_START;
  const note = isQuick
    ? "database and demo made; pages built only if they were stale"
    : "pages built, database and demo made";
  const memory = memoryOf(service.pid)?.now;
  return {
    service,
    starts: [
      { name, value, unit: "s", note },
      ...(memory === undefined
        ? []
        : [{ name: "web process, memory when ready", value: memory, unit: "MiB" as const }]),
    ],
  };
}

async function seedBoth(database: Database, sampleId: string, writer: Party, reader: Party): Promise<void> {
  await makePeerTables(database);
  await seedPayments(database, sampleId, writer.id, WRITER_ROWS);
  await seedPayments(database, sampleId, reader.id, READER_ROWS);
  await database.query("INSERT INTO peer.payment_intent SELECT * FROM payment_intent WHERE id <> $1", sampleId);
  await database.query("VACUUM ANALYZE peer.payment_intent");
}

interface Opened {
  readonly database: Database;
  readonly url: string;
}

async function openOf({ dataDir }: Service): Promise<Opened> {
  return { database: await openDatabase(dataDir), url: embeddedUrl(dataDir) };
}

/** Starts everything, the service with additional variables; the caller closes it. */
export async function setStage(options: Pick<Options, "isQuick">, variables: Variables = {}): Promise<Stage> {
  const { service, starts } = await firstStart(options, variables);
  const { dataDir } = service;
  let opened = await openOf(service);
  const addParty = async (name: string, currencies?: readonly string[]): Promise<Party> => {
    const { id, keys } = await createMerchant(service, { name, ...(currencies ? { currencies } : {}) });
    return { id, authorization: basicAuthorization(keys.test) };
  };
  const writer = await addParty("Bench writer");
  const reader = await addParty("Bench reader");
  const sampleId = await postOne(service.baseUrl, writer);
  const samplePath = join(dataDir, "sample.json");
  saveSample(samplePath, await takeSample(opened.database, sampleId));
  await seedBoth(opened.database, sampleId, writer, reader);
  return {
    service,
    get database() {
      return opened.database;
    },
    get databaseUrl() {
      return opened.url;
    },
    starts,
    samplePath,
    writer,
    reader,
    addParty,
    seed: ({ id }, rows) => seedPayments(opened.database, sampleId, id, rows),
    startBeside(variables) {
      return startService({ env: { ...WITHOUT_LIMITS, ...readKeptData(dataDir), ...variables } });
    },
    async reopen(changes) {
      await opened.database.close();
      await service.restart(changes);
      opened = await openOf(service);
    },
    async close() {
      await opened.database.close();
      await service.dispose();
    },
  };
}
