// Plays docs/deployment/compose.yaml without a container engine: the image's files in sandboxes, the project's PgBouncer
// and Caddy configuration in the programs of Debian's packages, and a real Postgres. Names of services become ports here.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasPgBouncer, passesNamesOn } from "../support/postgres/pgbouncer";
import { type PostgresServer, startPostgres } from "../support/postgres/server";
import { freePort } from "../support/service";
import { serviceVariables, type Variables } from "../support/service-process";
import { DEPLOYMENT, readCompose } from "./compose";
import type { Image } from "./image/build";
import { type Container, startContainer } from "./image/sandbox";

const READY_WITHIN_MS = 120_000;
const POLL_MS = 100;

export interface Stack {
  readonly web: Container;
  readonly worker: Container;
  /** Where web answers without Caddy. */
  readonly baseUrl: string;
  readonly workerUrl: string;
  /** The public origin, and the certificate of its authority; null where Debian's package `caddy` is missing. */
  readonly tls: { readonly origin: string; readonly authority: string } | null;
  stop(): Promise<void>;
}

export const hasCaddy = () => spawnSync("caddy", ["version"]).status === 0;

async function until(isTrue: () => boolean | Promise<boolean>, what: string, logs: () => string): Promise<void> {
  for (const end = Date.now() + READY_WITHIN_MS; !(await isTrue()); await sleep(POLL_MS))
    if (Date.now() > end) throw new Error(`${what} is not ready:\n${logs().slice(-4_000)}`);
}

function spawnProgram(words: readonly string[], cwd: string, env: Variables): ChildProcess {
  const [program = "", ...rest] = words;
  const child = spawn(program, rest, { cwd, env: serviceVariables(env), stdio: "ignore" });
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}

/** Writes one of the deployment's files with names of services replaced by addresses of this machine. */
function adapt(name: string, folder: string, changes: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(DEPLOYMENT, name), "utf8");
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${name} lacks ${from}`);
    text = text.replaceAll(from, to);
  }
  const file = join(folder, name.replace("/", "-"));
  writeFileSync(file, text, { mode: 0o644 });
  return file;
}

/** Starts PgBouncer by the start script of its image, with the project's settings. Resolves to its port. */
async function startPooler(folder: string, server: PostgresServer, password: string) {
  const port = await freePort();
  const users = join(folder, "userlist.txt");
  const settings = adapt("pgbouncer/pgbouncer.ini", folder, [
    ["host=postgres port=5432", `host=127.0.0.1 port=${new URL(server.url).port}`],
    ["listen_addr = 0.0.0.0", "listen_addr = 127.0.0.1"],
    ["listen_port = 6432", `listen_port = ${port}`],
    ["/tmp/userlist.txt", users],
  ]);
  const script = adapt("pgbouncer/start.sh", folder, [["/tmp/userlist.txt", users]]);
  // It refuses to run as root; the image has the user `postgres`, this machine has `nobody`.
  const asNobody = process.getuid?.() === 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : [];
  const child = spawnProgram([...asNobody, "sh", script, settings], folder, { POSTGRES_PASSWORD: password });
  return { child, port };
}

/** Starts Caddy with the project's Caddyfile; for `localhost` it is its own certificate authority. */
async function startCaddy(folder: string, domain: string, webPort: number) {
  const file = adapt("Caddyfile", folder, [["web:3000", `127.0.0.1:${webPort}`]]);
  const httpPort = await freePort();
  writeFileSync(
    file,
    `{\n\tadmin off\n\thttp_port ${httpPort}\n\tskip_install_trust\n}\n${readFileSync(file, "utf8")}`,
  );
  const env = { SLUICE_DOMAIN: domain, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const child = spawnProgram(["caddy", "run", "--config", file, "--adapter", "caddyfile"], folder, env);
  return { child, authority: join(folder, "caddy/pki/authorities/local/root.crt") };
}

async function stopChild(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

/** Starts all services of compose.yaml; web and worker run the image's command with `node`. */
export async function startStack(image: Image, node: string): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-stack-"));
  chmodSync(folder, 0o777);
  const secrets = join(folder, "sluice_secrets");
  writeFileSync(secrets, randomBytes(32).toString("base64"), { mode: 0o644 });
  const domain = `localhost:${await freePort()}`;
  const started: { stop(): Promise<unknown> }[] = [];
  const stop = async () => {
    for (const one of started.reverse()) await one.stop();
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    // Its user is `sluice`, like the one that compose.yaml lets Postgres's image create.
    const server = await startPostgres(join(folder, "postgres"), await freePort());
    started.push({ stop: () => server.stop("fast") });
    const { password, port: directPort } = new URL(server.url);
    const pooler = hasPgBouncer() ? await startPooler(folder, server, password) : null;
    if (pooler) started.push({ stop: () => stopChild(pooler.child) });
    const { services } = readCompose({
      SLUICE_DOMAIN: domain,
      POSTGRES_PASSWORD: password,
      REFERENCE_KEY: randomBytes(32).toString("base64"),
      METRICS_TOKEN: randomBytes(32).toString("hex"),
      FRONT_SUBNET: "127.0.0.1/32",
    });

    async function startService(name: "web" | "worker") {
      const port = await freePort();
      const text = JSON.stringify(services[name]?.environment)
        .replaceAll("@pgbouncer:6432", `@127.0.0.1:${pooler?.port ?? directPort}`)
        .replaceAll("@postgres:5432", `@127.0.0.1:${directPort}`);
      const variables = {
        ...(JSON.parse(text) as Variables),
        PORT: String(port),
        // The image has PgBouncer 1.24; the package of this machine may be older.
        ...(pooler && !passesNamesOn() ? { DATABASE_STATEMENTS: "unnamed" } : {}),
      };
      const container = await startContainer(image, node, variables, { "/run/secrets/sluice_secrets": secrets });
      started.push({ stop: () => container.kill() });
      await until(() => container.hasEnded() || container.isHealthy(), name, container.logs);
      if (container.hasEnded()) throw new Error(`${name} ended:\n${container.logs()}`);
      return { container, port };
    }

    const web = await startService("web");
    const worker = await startService("worker");
    let tls: Stack["tls"] = null;
    if (hasCaddy()) {
      const caddy = await startCaddy(folder, domain, web.port);
      started.push({ stop: () => stopChild(caddy.child) });
      const read = () => readFileSync(caddy.authority, "utf8");
      await until(
        () => {
          try {
            return read() !== "";
          } catch {
            return false;
          }
        },
        "caddy",
        () => "",
      );
      tls = { origin: `https://${domain}`, authority: read() };
    }
    return {
      web: web.container,
      worker: worker.container,
      baseUrl: `http://localhost:${web.port}`,
      workerUrl: `http://localhost:${worker.port}`,
      tls,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
