// A Postgres of Debian's package `postgresql`, with the settings and scripts of docs/deployment: it archives its log, and is
// backed up and restored like that of compose.yaml.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { DEPLOYMENT, readCompose } from "../../deployment/compose";
import { debianPrograms, serverUser } from "../../support/debian-postgres";
import { freePort } from "../../support/service";
import { serviceVariables, type Variables } from "../../support/service-process";

const READY_WITHIN_MS = 120_000;
const PAUSE_MS = 50;

export interface ArchivedServer {
  readonly url: string;
  /** Runs base-backup.sh. */
  backUp(): void;
  /** The server's clock, as restore.sh takes it. */
  now(): Promise<string>;
  /** Resolves once everything written so far is archived. */
  archived(): Promise<void>;
  /** Kills all its processes and deletes its files, as a lost machine does. The backups stay. */
  lose(): Promise<void>;
  /** Runs restore.sh, and starts the server. Resolves once it has replayed the log and accepts writes. */
  restore(target?: string): Promise<void>;
  close(): Promise<void>;
}

/** Creates and starts the server, of the newest installed version; `settings` change those of compose.yaml. */
export async function startArchivedServer(settings: readonly string[] = []): Promise<ArchivedServer> {
  const bin = debianPrograms();
  const folder = mkdtempSync(join(tmpdir(), "sluice-archived-"));
  chmodSync(folder, 0o711);
  const user = serverUser();
  const backups = join(folder, "backups");
  for (const path of [join(folder, "own"), backups, join(backups, "wal")]) {
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, user.uid, user.gid);
  }
  const pgData = join(folder, "own", "data");
  const port = await freePort();
  const password = randomBytes(16).toString("hex");
  const variables: Variables = {
    PATH: `${bin}:${process.env.PATH ?? ""}`,
    BACKUPS: backups,
    PGDATA: pgData,
    PGHOST: "127.0.0.1",
    PGPORT: String(port),
    PGPASSWORD: password,
  };
  const options = { ...user, cwd: "/", env: serviceVariables(variables) };
  let child: ChildProcess | null = null;

  function run(program: string, ...words: readonly string[]): void {
    const { status, stderr, stdout } = spawnSync(program, words, { ...options, encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${String(status)}: ${stderr}${stdout}`);
  }
  const script = (name: string, ...words: readonly string[]) => run("sh", join(DEPLOYMENT, "postgres", name), ...words);
  const url = (database: string) => `postgresql://sluice:${password}@127.0.0.1:${port}/${database}`;

  async function query<Row>(text: string, database = "sluice"): Promise<Row[]> {
    const client = new Client({ connectionString: url(database) });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
    for (const end = Date.now() + READY_WITHIN_MS; !(await isTrue().catch(() => false)); await sleep(PAUSE_MS))
      if (Date.now() > end) throw new Error(`${what} did not happen`);
  }

  async function start(): Promise<void> {
    const { services } = readCompose({
      SLUICE_DOMAIN: "-",
      POSTGRES_PASSWORD: "-",
      REFERENCE_KEY: "-",
      METRICS_TOKEN: "-",
    });
    const [, ...command] = services.postgres?.command ?? [];
    const adapted = command.map((word) => word.replace("/etc/sluice", join(DEPLOYMENT, "postgres")));
    const own = [
      "-D",
      pgData,
      "-p",
      String(port),
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "unix_socket_directories=",
    ];
    child = spawn("postgres", [...own, ...adapted, ...settings], { ...options, stdio: "ignore" });
    await until(async () => {
      const [row] = await query<{ isReplaying: boolean }>('SELECT pg_is_in_recovery() AS "isReplaying"', "postgres");
      return row?.isReplaying === false;
    }, "the start of Postgres");
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  const passwordFile = join(folder, "own", "password");
  writeFileSync(passwordFile, password);
  chownSync(passwordFile, user.uid, user.gid);
  run("initdb", "--username=sluice", "--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--no-sync");
  await start();
  await query("CREATE DATABASE sluice", "postgres");
  process.once("exit", () => child?.kill("SIGQUIT"));

  return {
    url: url("sluice"),
    backUp: () => script("base-backup.sh"),
    async now() {
      const [row] = await query<{ now: string }>("SELECT clock_timestamp()::timestamptz(3)::text AS now");
      return row?.now ?? "";
    },
    async archived() {
      const [row] = await query<{ name: string }>("SELECT pg_walfile_name(pg_switch_wal()) AS name");
      await until(async () => existsSync(join(backups, "wal", row?.name ?? "")), "the archiving of the log");
    },
    async lose() {
      await end("SIGQUIT");
      rmSync(pgData, { recursive: true, force: true });
    },
    async restore(target) {
      script("restore.sh", ...(target === undefined ? [] : [target]));
      await start();
    },
    async close() {
      await end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
