// `npm run bench -- cells`: what each further cell costs a service that has little to do, and what it costs creates.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { basicAuthorization } from "@/e2e/support/api";
import { createMerchant } from "@/e2e/support/merchant";
import { type Service, startService } from "@/e2e/support/service";
import { PROJECT_ROOT } from "@/e2e/support/service-process";
import { median } from "@/e2e/support/statistics";
import { creation } from "../cases/creates";
import { sendLoad } from "../load";
import { cpuSecondsOf, cpuSecondsWithChildren, memoryOf } from "../proc";
import { messageOf } from "../rounds";
import { workerOf } from "../webhooks/shared";
import { type CellServer, nameOf, untilAllServed, variablesOf, withCellServer } from "./databases";
import { type CellsResults, cellsLines, cellsMarkdown, isCellsMet, type Sample } from "./report";

/** The first is one cell, the default. */
const FULL = [1, 2, 5, 9, 17];
const IDLE_MS = 20_000;
/** What a start leaves behind has ended by then. */
const SETTLED_MS = 10_000;
const ROUNDS = 3;
const LOAD = { connections: 32, seconds: 3 };

interface Meters {
  readonly web: number;
  readonly worker: number;
  readonly postgres: number;
  readonly transactions: number;
}

async function read({ server, admin }: CellServer, service: Service): Promise<Meters> {
  const { rows } = await admin.query<{ count: number }>(
    "SELECT sum(xact_commit)::float8 AS count FROM pg_stat_database WHERE datname LIKE 'cell\\_%'",
  );
  return {
    web: cpuSecondsOf(service.pid) ?? Number.NaN,
    worker: cpuSecondsOf(workerOf({ service })) ?? Number.NaN,
    postgres: cpuSecondsWithChildren(server.pid() ?? 0) ?? Number.NaN,
    transactions: rows[0]?.count ?? Number.NaN,
  };
}

async function connections({ admin }: CellServer): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname LIKE 'cell\\_%'",
  );
  return rows[0]?.count ?? Number.NaN;
}

/** Creates per second, of merchants in this many cells in turn. */
async function createRate(service: Service, authorizations: readonly string[]): Promise<number> {
  let sent = 0;
  const next = () => {
    sent += 1;
    return { ...creation(), authorization: authorizations[sent % authorizations.length] as string };
  };
  const { rate, failed } = await sendLoad({ baseUrl: service.baseUrl, authorization: "", next, ...LOAD });
  if (failed > 0) throw new Error(`${failed} creates failed`);
  return rate;
}

async function measure(world: CellServer, cells: number): Promise<Sample> {
  const database = await variablesOf(world, cells);
  const from = performance.now();
  const service = await startService({ database });
  try {
    await untilAllServed(service);
    const readySeconds = (performance.now() - from) / 1_000;
    const authorizations: string[] = [];
    for (let n = 0; n < cells; n += 1) {
      const address = { baseUrl: service.baseUrl, dataDir: service.dataDir, database };
      const { keys } = await createMerchant(address, { name: "Bench cells", ...(cells > 1 && { cell: nameOf(n) }) });
      authorizations.push(basicAuthorization(keys.test));
    }
    await sleep(SETTLED_MS);
    const before = await read(world, service);
    await sleep(IDLE_MS);
    const after = await read(world, service);
    const perSecond = (meter: keyof Meters) => (after[meter] - before[meter]) / (IDLE_MS / 1_000);
    const idleConnections = await connections(world);
    const mib = (pid: number) => memoryOf(pid)?.now ?? Number.NaN;
    const memory = { web: mib(service.pid), worker: mib(workerOf({ service })) };
    const rates: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) rates.push(await createRate(service, authorizations));
    return {
      cells,
      readySeconds,
      memory,
      idle: {
        webCpu: perSecond("web"),
        workerCpu: perSecond("worker"),
        postgresCpu: perSecond("postgres"),
        transactions: perSecond("transactions"),
        connections: idleConnections,
      },
      // The first round compiles the code.
      createsPerSecond: median(rates.slice(1)),
      busyConnections: await connections(world),
    };
  } finally {
    await service.dispose();
  }
}

function measureAll(sizes: readonly number[]): Promise<Sample[]> {
  return withCellServer(async (world) => {
    const samples: Sample[] = [];
    for (const cells of sizes) {
      samples.push(await measure(world, cells));
      process.stdout.write(`${JSON.stringify(samples.at(-1))}\n`);
    }
    return samples;
  });
}

function readSizes(words: readonly string[]): readonly number[] {
  const { values } = parseArgs({ args: [...words], options: { cells: { type: "string", default: FULL.join(",") } } });
  const sizes = values.cells.split(",").map(Number);
  const areRight = sizes[0] === 1 && sizes.length > 1 && sizes.every((size) => Number.isInteger(size) && size > 0);
  if (!areRight) throw new TypeError("--cells must be numbers of cells separated by commas; the first is 1");
  return sizes;
}

/** Runs it and writes its results; returns the exit status. */
export async function runCells(words: readonly string[]): Promise<number> {
  try {
    const sizes = readSizes(words);
    const results: CellsResults = {
      at: new Date().toISOString(),
      machine: `${cpus()[0]?.model ?? "unknown"}, ${cpus().length} cores`,
      samples: await measureAll(sizes),
    };
    const folder = join(PROJECT_ROOT, sizes.length >= FULL.length ? "bench" : ".data/bench");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "CELLS.md"), cellsMarkdown(results));
    writeFileSync(join(folder, "cells.json"), `${JSON.stringify(results, null, 2)}\n`);
    process.stdout.write(`\n${cellsLines(results)}\n`);
    return isCellsMet(results) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`FAILED: ${messageOf(error)}\n`);
    return 1;
  }
}
