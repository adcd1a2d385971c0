// What happens to the database. Each fault returns what proves that it happened.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { PostgresServer } from "../../support/postgres/server";
import type { Disk } from "./disk";

/** `disk` holds the server's files, where it could be mounted. */
export type Fault = (server: PostgresServer, disk: Disk | null) => Promise<string>;

const SESSIONS = 3;
const HELD_MS = 6_000;
const STORM_MS = 6_000;

async function connected({ url }: PostgresServer): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Ends the server and starts it again; the postmaster must be another one. */
async function restarted(server: PostgresServer, end: () => Promise<void>): Promise<string> {
  const before = server.pid();
  await end();
  await server.start();
  const after = server.pid();
  if (before === null || after === before) throw new Error("the server has not been restarted");
  return `postmaster ${before} ended, ${after} started`;
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  /** A backend dies, and the postmaster ends all sessions. */
  async session(server) {
    const killed: number[] = [];
    for (let n = 0; n < SESSIONS; n += 1) {
      killed.push(await server.killOneSession());
      await sleep(200);
      await server.accepting();
      await sleep(800);
    }
    if (new Set(killed).size !== SESSIONS) throw new Error("the sessions have not been replaced");
    return `sessions ${killed.join(", ")} killed`;
  },
  postmaster: (server) => restarted(server, () => server.killAll()),
  immediate: (server) => restarted(server, () => server.stop("immediate")),
  fast: (server) => restarted(server, () => server.stop("fast")),
  /** A foreign session locks what every creation writes. */
  async locks(server) {
    const intruder = await connected(server);
    await intruder.query("BEGIN");
    await intruder.query("LOCK TABLE audit_entry IN ACCESS EXCLUSIVE MODE");
    await sleep(HELD_MS);
    await intruder.query("ROLLBACK");
    await intruder.end();
    return `audit_entry locked for ${HELD_MS} ms`;
  },
  /** Foreign sessions take every connection as soon as it is free, and end the service's. */
  async connections(server) {
    const intruders: Client[] = [await connected(server)];
    const takeAll = async () => {
      for (;;) {
        const intruder = await connected(server).catch(() => null);
        if (!intruder) return;
        intruders.push(intruder);
      }
    };
    await takeAll();
    const isTaken = async () => {
      const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'sluice' AND pid <> ALL ($1)`;
      const own = intruders.map((intruder) => (intruder as unknown as { processID: number }).processID);
      return (await intruders[0]?.query(others, [own]))?.rowCount === 0;
    };
    while (!(await isTaken())) await Promise.all(Array.from({ length: 8 }, takeAll));
    await sleep(HELD_MS);
    await Promise.all(intruders.map((intruder) => intruder.end().catch(() => {})));
    return `${intruders.length} connections taken for ${HELD_MS} ms`;
  },
  /** The disk is full, so that no transaction log can be written; later there is room again. */
  async disk(server, disk) {
    if (!disk) throw new Error("needs root");
    const intruder = await connected(server);
    disk.fill();
    // Each goes on to the next file of the transaction log.
    for (let left = 50; left > 0 && server.pid() !== null; left -= 1) {
      await intruder.query("SELECT pg_switch_wal()").catch(() => {});
      await sleep(100);
    }
    await sleep(HELD_MS / 3);
    disk.empty();
    // It may also end now, by what it could not write before.
    await server.accepting().catch(() => server.start());
    await intruder.end().catch(() => {});
    const complaints = server.logs().match(/.*No space left on device.*/g) ?? [];
    if (complaints.length === 0) throw new Error("the disk was not full");
    return `${complaints.length} writes found no space`;
  },
  /** A write to the disk fails once: the server must stop rather than acknowledge what may be lost. */
  async fsync(server) {
    const from = server.logs().length;
    const pids = server.children().flatMap((pid) => ["-p", String(pid)]);
    const tracer = spawn("strace", ["-f", "-e", "inject=fdatasync:error=EIO:when=1", ...pids], { stdio: "ignore" });
    const traced = once(tracer, "exit").catch(() => {
      throw new Error("needs strace");
    });
    const panics = () =>
      server
        .logs()
        .slice(from)
        .match(/PANIC: .*could not fdatasync.*/g) ?? [];
    for (let left = 100; left > 0 && panics().length === 0; left -= 1) await Promise.race([sleep(100), traced]);
    tracer.kill("SIGINT");
    await traced;
    if (server.pid() === null) await server.start();
    await server.accepting();
    if (panics().length === 0) throw new Error("no write to the disk has failed");
    return `${panics().length} failed writes to the disk`;
  },
  /** Foreign sessions lock rows of the merchant's accounts in the opposite order, so that deadlocks occur. */
  async deadlocks(server) {
    const [one, other] = [await connected(server), await connected(server)];
    const orders = ["kind", "kind DESC"];
    const end = Date.now() + STORM_MS;
    let conflicts = 0;
    const storm = async (client: Client, order: string) => {
      while (Date.now() < end) {
        await client.query("BEGIN");
        const { rows } = await client.query<{ id: string }>(
          `SELECT ctid::text AS id FROM ledger_account WHERE environment = 'live' AND currency = 'BRL' ORDER BY ${order}`,
        );
        try {
          for (const { id } of rows) {
            await client.query("SELECT FROM ledger_account WHERE ctid = $1::tid FOR UPDATE", [id]);
            await sleep(5);
          }
        } catch {
          conflicts += 1;
        }
        await client.query("ROLLBACK");
      }
    };
    await Promise.all([one, other].map((client, n) => storm(client, orders[n] ?? "kind")));
    await Promise.all([one.end(), other.end()]);
    if (conflicts === 0) throw new Error("no deadlock has occurred");
    return `${conflicts} deadlocks`;
  },
};
