// One service of two web processes and two workers over two Postgres servers, with the fake provider and a merchant of each
// cell.
import { type Database, openDatabase } from "../../rest/database";
import { approverOf, type LiveParty } from "../../rest/world";
import { type Api, createApi, fetchValidator } from "../../support/api";
import { type FakePsp, startFakePsp } from "../../support/fake-psp/start";
import { createMerchant } from "../../support/merchant";
import { command } from "../../support/operator";
import type { PostgresServer } from "../../support/postgres/server";
import type { Variables } from "../../support/service-process";
import { type CellName, openTwoCellService, type TwoCellService } from "../../support/two-cells";
import { type Allowed, judge } from "../postgres/judge";
import type { Written } from "../postgres/load";

export const METRICS_TOKEN = "0123456789abcdef0123456789abcdef";

/** A merchant with live money in BRL and MXN, and the cell that it lives in. */
export interface CellParty extends LiveParty {
  readonly cell: CellName;
  readonly server: PostgresServer;
  readonly database: Database;
  /** The merchant's client in the test environment. */
  readonly test: Api;
  /** The provider's record of the merchant alone. */
  readonly psp: Pick<FakePsp, "record">;
  /** Returns everything that is wrong in the cell, by its clients' answers, its database and the provider. */
  judge(written: readonly Written[], allowed?: Allowed): Promise<string[]>;
}

export interface CellsWorld extends TwoCellService {
  readonly psp: FakePsp;
  readonly main: CellParty;
  readonly eu2: CellParty;
  /** Runs an operator's command in all cells, or in that of its merchant. */
  cli(...words: readonly string[]): Promise<unknown>;
}

async function openParty(world: TwoCellService, psp: FakePsp, cell: CellName): Promise<CellParty> {
  const { operated, servers, service } = world;
  const database = await openDatabase(service.dataDir, servers[cell].url);
  const validate = await fetchValidator(service.baseUrl);
  const merchant = await createMerchant(operated, { cell, name: `Merchant of ${cell}` });
  const wallet = ["--merchant", merchant.id, "--environment", "live", "--amount", "100000000"];
  for (const currency of ["BRL", "MXN"]) await command(operated, "wallets", "fund", "--currency", currency, ...wallet);
  const live = createApi(service.baseUrl, merchant.keys.live, validate);
  // The merchant is the only one of its cell with live intents.
  const ofCell: CellParty["psp"] = {
    record: async (wanted) => (await psp.record(wanted)).filter(({ merchant_id }) => merchant_id === merchant.id),
  };
  const cli = (...words: readonly string[]) => command(operated, ...words);
  return {
    cell,
    server: servers[cell],
    database,
    merchant,
    live,
    test: createApi(service.baseUrl, merchant.keys.test, validate),
    approve: await approverOf(operated, merchant.id),
    psp: ofCell,
    judge: (written, allowed) => judge({ world: { database, cli }, psp: ofCell }, written, allowed),
  };
}

/** Starts everything; takes some 20 s. */
export async function openCellsWorld(env: Variables = {}): Promise<CellsWorld> {
  const psp = await startFakePsp();
  const world = await openTwoCellService({
    PROVIDERS: JSON.stringify([psp.config()]),
    WEB_CONCURRENCY: "2",
    WORKER_CONCURRENCY: "2",
    IDEMPOTENCY_LEASE_SECONDS: "1",
    METRICS_TOKEN,
    ...env,
  });
  await psp.callbacksTo(world.service.baseUrl);
  const main = await openParty(world, psp, "main");
  const eu2 = await openParty(world, psp, "eu2");
  return {
    ...world,
    psp,
    main,
    eu2,
    cli: (...words) => command(world.operated, ...words),
    async close() {
      await Promise.all([main.database.close(), eu2.database.close()]);
      await world.close();
      await psp.stop();
    },
  };
}
