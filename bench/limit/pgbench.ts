// The database limit by pgbench, if it is installed.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Variables } from "@/e2e/support/service-process";
import { loadSample } from "../peer/rows";
import { percentile, type Round } from "../statistics";
import { pgbenchScript } from "./pgbench-script";
import { type LimitTask, limitLanes } from "./task";

/** Where Debian and its derivatives install each version's programs, of which only some are on the PATH. */
const VERSIONS = "/usr/lib/postgresql";
/** There are so many reads that logging each would slow them down. */
const SHARE_OF_READS_NOTED = 0.1;

/** Whole seconds, counted from before pgbench connects: on a busy machine the first can be over by then. */
const SHORTEST_SECONDS = 2;

function findPgbench(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(VERSIONS, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  return folders.map((folder) => join(folder, "pgbench")).find((path) => existsSync(path)) ?? null;
}

/** Its path; null if not installed. */
export const PGBENCH = findPgbench();

/** Its version line; null if not installed. */
export function pgbenchVersion(): string | null {
  return PGBENCH && execFileSync(PGBENCH, ["--version"], { encoding: "utf8" }).trim();
}

/** The connection as variables: an address on the command line would reveal the password to other users. */
function variablesOf(url: string): Variables {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  };
}

function numberAfter(words: string, output: string): number {
  const found = new RegExp(`${words}\\s*([0-9.]+)`).exec(output)?.[1];
  if (found === undefined) throw new Error(`pgbench did not say "${words}":\n${output}`);
  return Number(found);
}

/** The output of pgbench, and the lines of its log, whose third field is a transaction's time in µs. */
export function readPgbench(output: string, log: readonly string[]): Round {
  const milliseconds = Float64Array.from(log, (line) => Number(line.split(" ")[2]) / 1_000).sort();
  const done = numberAfter("transactions actually processed:", output);
  return {
    // It prints no rate if there were no transactions.
    rate: done === 0 ? 0 : numberAfter("tps =", output),
    p50: percentile(milliseconds, 0.5),
    p99: percentile(milliseconds, 0.99),
    done,
    failed: output.includes("failed transactions:") ? numberAfter("failed transactions:", output) : 0,
  };
}

async function runProgram(program: string, words: readonly string[], variables: Variables): Promise<string> {
  const child = spawn(program, words, { env: { ...process.env, ...variables }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`pgbench ended with ${String(code)}: ${complaints.slice(0, 2_000)}`);
  return output;
}

/** What pgbench runs: transactions of several scripts, in proportion to their weights. */
export interface ScriptedLoad {
  readonly url: string;
  readonly scripts: readonly { readonly text: string; readonly weight: number }[];
  readonly connections: number;
  readonly seconds: number;
  /** Share of the transactions whose times are recorded. */
  readonly sampling?: number;
}

/** Runs the load by pgbench, in whole seconds. Throws if it fails. */
export async function runScripts(program: string, load: ScriptedLoad): Promise<Round> {
  const { url, scripts, connections, seconds, sampling } = load;
  const folder = mkdtempSync(join(tmpdir(), "sluice-pgbench-"));
  try {
    const files = scripts.map(({ text, weight }, n) => {
      const file = join(folder, `script-${n}.sql`);
      writeFileSync(file, text);
      return `--file=${file}@${weight}`;
    });
    const lanes = limitLanes(connections);
    const output = await runProgram(
      program,
      [
        "--no-vacuum",
        "--protocol=prepared",
        ...files,
        `--client=${lanes}`,
        `--jobs=${Math.min(lanes, availableParallelism())}`,
        `--time=${Math.max(SHORTEST_SECONDS, Math.round(seconds))}`,
        // Each client increments its variable with every transaction. Runs start at different values: ids are unique.
        `--define=n=${Date.now() * 1_000}`,
        "--log",
        `--log-prefix=${join(folder, "log")}`,
        ...(sampling === undefined ? [] : [`--sampling-rate=${sampling}`]),
      ],
      variablesOf(url),
    );
    const logs = readdirSync(folder).filter((name) => name.startsWith("log"));
    const lines = logs.flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
    return readPgbench(output, lines);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One round by pgbench, in whole seconds. Throws if it fails. */
export function runPgbench(program: string, task: LimitTask): Promise<Round> {
  const isWriting = task.work === "statements" || task.work === "cte";
  const scripts = [{ text: pgbenchScript(task, loadSample(task.samplePath)), weight: 1 }];
  const { url, connections, seconds } = task;
  return runScripts(program, {
    url,
    connections,
    seconds,
    scripts,
    ...(isWriting ? {} : { sampling: SHARE_OF_READS_NOTED }),
  });
}
