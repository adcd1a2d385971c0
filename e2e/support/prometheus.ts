// A real Prometheus with the project's own configuration, rules and dashboard; from Debian's package `prometheus`.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import { freePort } from "./service";
import { PROJECT_ROOT } from "./service-process";

const READY_WITHIN_MS = 60_000;
const POLL_MS = 200;
/** Also the longest time that a scrape may take: a service waits 3 s for a process that hangs. */
const SCRAPE_EVERY_S = 5;

const pathOf = (name: string) => join(PROJECT_ROOT, "docs/monitoring", name);
const read = (name: string) => readFileSync(pathOf(name), "utf8");

/** False where the package is missing. */
export function hasPrometheus(): boolean {
  return spawnSync("prometheus", ["--version"]).status === 0 && spawnSync("promtool", ["--version"]).status === 0;
}

/** Runs promtool in the folder of the monitoring files; returns its output. Throws if it reports a fault. */
export function promtool(words: readonly string[], input = ""): string {
  const { status, stdout, stderr } = spawnSync("promtool", words, { cwd: pathOf(""), input, encoding: "utf8" });
  if (status !== 0) throw new Error(`promtool ${words.join(" ")} reports:\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** The files of rules that prometheus.yml names. */
const RULES = ["alerts.yml", "slo.yml"];

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
}

function rules(): Rule[] {
  const files = RULES.map((name) => parse(read(name)) as { readonly groups: readonly { readonly rules: Rule[] }[] });
  return files.flatMap(({ groups }) => groups.flatMap((group) => group.rules));
}

/** The expressions of the alert rules, by alert. */
export function alertExpressions(): Map<string, string> {
  return new Map(rules().flatMap(({ alert, expr }) => (alert === undefined ? [] : [[alert, expr]])));
}

/** The expressions of the rules that record something for other rules. */
export function recordedExpressions(): string[] {
  return rules().flatMap(({ record, expr }) => (record === undefined ? [] : [expr]));
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** The expressions of the dashboard's panels, by title, with Grafana's variables replaced: all jobs, over ten minutes. */
export function dashboardExpressions(): { readonly title: string; readonly expression: string }[] {
  const { panels } = JSON.parse(read("dashboard.json")) as { readonly panels: readonly Panel[] };
  const fill = (expr: string) => expr.replaceAll("$__rate_interval", "10m").replaceAll(/\$(?:job|environment)/g, ".*");
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expression: fill(expr) })));
}

/** The names of metrics in a text, with the endings of histograms removed; not those that rules record. */
export function metricNames(text: string): Set<string> {
  const names = text.match(/(?<![:\w])(?:sluice|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return new Set(names.map((name) => name.replace(/_(?:bucket|sum|count)$/, "")));
}

interface PrometheusSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Prometheus {
  /** Evaluates an expression now. Throws for one that does not parse or execute. */
  query(expression: string): Promise<readonly PrometheusSample[]>;
  /** The names of firing alerts. */
  firing(): Promise<ReadonlySet<string>>;
  stop(): Promise<void>;
}

/**
 * Starts Prometheus with the project's files. It scrapes every five seconds, and alerts fire without their delay (`for`);
 * their thresholds and windows stay.
 */
export async function startPrometheus(target: string, token: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-prometheus-"));
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, token, { mode: 0o600 });
  for (const name of RULES) writeFileSync(join(folder, name), read(name).replaceAll(/\bfor: \w+/g, "for: 0s"));
  const configuration = read("prometheus.yml")
    .replace("scrape_interval: 15s", `scrape_interval: ${SCRAPE_EVERY_S}s`)
    .replace("evaluation_interval: 15s", "evaluation_interval: 1s")
    .replace("/etc/prometheus/sluice-token", tokenFile)
    .replace("127.0.0.1:3000", target);
  writeFileSync(join(folder, "prometheus.yml"), configuration);
  const address = `127.0.0.1:${await freePort()}`;
  const words = ["--config.file", "prometheus.yml", "--storage.tsdb.path", "data", "--web.listen-address", address];
  const child = spawn("prometheus", words, { cwd: folder, stdio: "ignore" });
  const prometheus = clientOf(`http://${address}`, () => stop(child, folder));
  try {
    await untilReady(`http://${address}/-/ready`, child);
  } catch (error) {
    await prometheus.stop();
    throw error;
  }
  return prometheus;
}

interface QueryAnswer {
  readonly error?: string;
  readonly data: {
    readonly result: readonly { readonly metric: Record<string, string>; readonly value: [number, string] }[];
  };
}

interface AlertsAnswer {
  readonly data: {
    readonly alerts: readonly { readonly state: string; readonly labels: { readonly alertname: string } }[];
  };
}

function clientOf(url: string, end: () => Promise<void>): Prometheus {
  return {
    async query(expression) {
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
      const { error, data } = (await answer.json()) as QueryAnswer;
      if (!answer.ok) throw new Error(`${expression}: ${error ?? answer.status}`);
      return data.result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }));
    },
    async firing() {
      const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as AlertsAnswer;
      return new Set(data.alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname));
    },
    stop: end,
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + READY_WITHIN_MS; ; await sleep(POLL_MS)) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    if (child.exitCode !== null || Date.now() > end) throw new Error("Prometheus did not become ready");
  }
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}
