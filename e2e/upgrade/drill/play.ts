// The upgrade as docs/operating.md describes it, under load: clients create, a person approves, a provider calls back.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge } from "../../faults/postgres/judge";
import { startLoad } from "../../faults/postgres/load";
import { metBy, until } from "../../faults/postgres/play";
import { type Balancer, startBalancer } from "../../faults/processes/balancer";
import { type Database, openDatabase } from "../../rest/database";
import { createApi } from "../../support/api";
import { type FakePsp, startFakePsp } from "../../support/fake-psp/start";
import type { ApiKey } from "../../support/merchant";
import { type Operator, startOperator } from "../../support/operator";
import { type PostgresServer, startPostgres } from "../../support/postgres/server";
import { type DatabaseVariables, freePort, type Service, startService } from "../../support/service";
import { watchGaps } from "./downtime";
import { commandsOf, type RunCommand } from "./operator";
import { startPayers } from "./payers";

/** As the proxy of docs/deployment/compose.yaml. */
const HOLDS_MS = 15_000;
const PER_SECOND = 8;
const WRITES = 32;
const APPROVER = "approver@upgrade.example";

export interface PlayedUpgrade {
  readonly acknowledged: number;
  readonly unavailable: number;
  /** Connections without an answer. */
  readonly broken: number;
  /** Callbacks that the older and the newer release have received. */
  readonly callbacks: readonly [older: number, newer: number];
  /** Payouts that people have approved in the older and the newer release. */
  readonly approvals: readonly [older: number, newer: number];
  /** The longest time in which no write was acknowledged, in ms. */
  readonly downtimeMs: number;
  /** What each step took, in ms. */
  readonly steps: Readonly<Record<string, number>>;
  readonly migrations: number;
  readonly problems: readonly string[];
}

interface Stage {
  readonly server: PostgresServer;
  readonly psp: FakePsp;
  readonly balancer: Balancer;
  readonly database: Database;
  /** Of both releases. */
  readonly variables: DatabaseVariables & { readonly PROVIDERS: string };
  readonly older: Service;
  readonly olderCommands: RunCommand;
  readonly key: ApiKey;
  close(): Promise<void>;
}

interface PrintedMerchant {
  readonly id: string;
  readonly keys: { readonly live: { readonly public_key: string; readonly secret_key: string } };
}

/** Creates a merchant with money and an approver by the commands of the older release; returns its live key. */
async function makeMerchant(commands: RunCommand): Promise<ApiKey> {
  const merchant = ["merchants", "create", "--name=Upgrade", "--currencies=BRL,USDT", "--with-keys"];
  const { id, keys } = await commands<PrintedMerchant>(...merchant);
  const person = ["members", "create", "--merchant", id, "--email", APPROVER, "--roles", "approver"];
  // v0.1.0 wants a password; later releases send a link.
  await commands(...person).catch(() => commands(...person, "--password", randomBytes(16).toString("hex")));
  const wallet = ["--environment", "live", "--currency", "BRL", "--amount", "100000000"];
  await commands("wallets", "fund", "--merchant", id, ...wallet);
  return { publicKey: keys.live.public_key, secretKey: keys.live.secret_key };
}

/** Starts the older release in the folder `root` on an empty database, behind a proxy. */
async function openStage(root: string): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-upgrade-"));
  // Postgres may run as another user, who needs access through this folder to its own.
  chmodSync(folder, 0o711);
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of closing.reverse()) await step();
  };
  try {
    const server = await startPostgres(join(folder, "server"), await freePort(), {});
    closing.push(() => server.stop("fast"));
    const psp = await startFakePsp();
    closing.push(() => psp.stop());
    const balancer = await startBalancer({ holdsMs: HOLDS_MS });
    closing.push(() => balancer.close());
    await psp.callbacksTo(balancer.url);
    const secret = () => randomBytes(32).toString("base64");
    const variables = {
      DATABASE_URL: server.url,
      SLUICE_SECRETS: secret(),
      REFERENCE_KEY: secret(),
      PROVIDERS: JSON.stringify([psp.config()]),
    };
    const older = await startService({ env: variables, root });
    closing.push(() => older.dispose());
    balancer.add(older.port);
    const database = await openDatabase("", server.url);
    closing.push(() => database.close());
    const olderCommands = commandsOf(root, variables);
    const key = await makeMerchant(olderCommands);
    return { server, psp, balancer, database, variables, older, olderCommands, key, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function countIn(database: Database, sql: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql);
  return row?.count ?? 0;
}

const CALLBACKS = "SELECT count(*)::int AS count FROM provider_callback";
const APPROVALS = "SELECT count(*)::int AS count FROM approval";
const WAITING = "SELECT count(*)::int AS count FROM provider_callback WHERE applied_at IS NULL";
const MIGRATIONS = "SELECT count(*)::int AS count FROM _prisma_migrations";

/**
 * Replaces the release in the folder `root` by this project's, under load. Waits until callbacks and approvals have come in
 * both. `problems` names everything that was lost, paid twice, answered wrongly or is inconsistent.
 */
export async function playUpgrade(root: string): Promise<PlayedUpgrade> {
  const stage = await openStage(root);
  const { psp, balancer, database, variables, older, olderCommands, key } = stage;
  const steps: Record<string, number> = {};
  const timed = async <Result>(step: string, work: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const result = await work();
    steps[step] = Math.round(performance.now() - startedAt);
    return result;
  };
  /** Nobody runs commands while the releases are exchanged. */
  let commands = Promise.resolve(olderCommands);
  const approve = async (id: string) => {
    const current = await commands;
    await current("payouts", "approve", "--id", id, "--as", APPROVER);
  };
  let newer: Service | null = null;
  let operator: Operator | null = null;
  try {
    // The two releases document different answers.
    const load = startLoad({ live: createApi(balancer.url, key, () => {}), approve }, { perSecond: PER_SECOND });
    const payers = startPayers(database, psp);
    const facts = async () => [await countIn(database, CALLBACKS), await countIn(database, APPROVALS)] as const;
    const goesOn = async (writes: number, [callbacks, approvals]: readonly [number, number]) => {
      const from = load.count();
      await until(() => load.count() >= from + writes);
      await waitFor(async () => {
        const [called, approved] = await facts();
        return called > callbacks && approved > approvals;
      });
    };
    await goesOn(WRITES, [0, 0]);
    const migrationsBefore = await countIn(database, MIGRATIONS);

    let allowCommands: (next: RunCommand) => void = () => {};
    commands = new Promise((resolve) => {
      allowCommands = resolve;
    });
    const gaps = watchGaps(load.count);
    balancer.remove(older.port);
    await timed("old release applies its callbacks", () =>
      waitFor(async () => (await countIn(database, WAITING)) === 0),
    );
    await timed("old release stops", () => older.stop());
    const ended = await facts();
    newer = await timed("new release migrates and starts", () => startService({ env: variables }));
    balancer.add(newer.port);
    const atSwitch = load.count();
    await timed("first write", () => until(() => load.count() > atSwitch));
    const downtimeMs = Math.round(await gaps.stop());
    operator = await startOperator({ ...newer, database: variables });
    const newerCommands = operator.run;
    await timed("accounts reindex", () => newerCommands("accounts", "reindex"));
    allowCommands(newerCommands);

    await goesOn(WRITES, ended);
    const paid = await payers.stop();
    const written = await load.stop();
    const judged = { world: { database, cli: newerCommands }, psp };
    const problems = await judge(judged, written, { brokenConnections: true, heldMs: HOLDS_MS });
    for (const status of paid.refused) problems.push(`a callback was answered ${status} for a minute`);
    for (const id of await paid.unfinished()) problems.push(`${id} was paid, and is not succeeded`);
    const [callbacks, approvals] = await facts();
    return {
      ...metBy(written),
      callbacks: [ended[0], callbacks - ended[0]],
      approvals: [ended[1], approvals - ended[1]],
      downtimeMs,
      steps,
      migrations: (await countIn(database, MIGRATIONS)) - migrationsBefore,
      problems,
    };
  } finally {
    await operator?.close();
    await newer?.dispose();
    await stage.close();
  }
}

const WAITS_MS = 120_000;
const PAUSE_MS = 100;

/** Waits until it holds; throws after two minutes. */
async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAITS_MS; !(await holds()); ) {
    if (Date.now() > end) throw new Error("the load has come to a standstill");
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
