// Starts the fake provider for a test, with a client of its control interface.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { CallbackOrder } from "./callbacks";
import type { Happening } from "./control";
import type { Rule } from "./faults";
import type { Line } from "./record";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const READY_WITHIN_MS = 15_000;

interface Call {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly idempotency_key?: string;
  readonly fault: string | null;
}

/** A running fake provider. Its record outlives `kill9` and `restart`; `stop` removes it. */
export interface FakePsp {
  readonly url: string;
  readonly name: string;
  /** Its entry in the service's PROVIDERS; `JSON.stringify([psp.config()])`. */
  config(changes?: object): object;
  /** Sets the target of callbacks: the service's base URL, which exists only once it runs. */
  callbacksTo(baseUrl: string): Promise<void>;
  misbehave(rule: Rule): Promise<void>;
  behave(): Promise<void>;
  /** Triggers an event at the provider; returns the statuses of the callback's deliveries. */
  happen(happening: Happening): Promise<number[]>;
  sendCallback(order: CallbackOrder): Promise<number[]>;
  /** All lines, or those with these values. */
  record(wanted?: Partial<Pick<Line, "event" | "kind" | "reference">>): Promise<Line[]>;
  calls(): Promise<Call[]>;
  /** Kills it like a crash. */
  kill9(): Promise<void>;
  /** Restarts it at the same address with the same record. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a fake provider on a free port. */
export async function startFakePsp(name = "fakepsp"): Promise<FakePsp> {
  const folder = mkdtempSync(join(tmpdir(), "fake-psp-"));
  const secret = randomBytes(32).toString("hex");
  const launchOn = (port: string) =>
    launch(["--record", join(folder, "record.jsonl"), "--secret", secret, "--name", name, "--port", port]);
  let { child, url } = await launchOn("0");

  async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the fake provider answers ${answer.status} to ${method} ${path}: ${text}`);
    return JSON.parse(text) as Answer;
  }

  return {
    url,
    name,
    config: (changes = {}) => ({
      name,
      url,
      secret,
      payment_methods: "all",
      payout_currencies: "all",
      topups: [{ source: "USDT", destination: "BRL" }],
      environments: ["live"],
      cancel: true,
      protocol: 2,
      ...changes,
    }),
    callbacksTo: async (baseUrl) => void (await call("POST", "/control", { callback_url: baseUrl })),
    misbehave: async (rule) => void (await call("POST", "/control", rule)),
    behave: async () => void (await call("DELETE", "/control")),
    happen: async (happening) => (await call<Deliveries>("POST", "/control/happen", happening)).deliveries,
    sendCallback: async (order) => (await call<Deliveries>("POST", "/control/callbacks", order)).deliveries,
    record: (wanted = {}) => call("GET", `/record?${new URLSearchParams(wanted)}`),
    calls: () => call("GET", "/calls"),
    kill9: () => end(child, "SIGKILL"),
    restart: async () => {
      await end(child, "SIGTERM");
      ({ child, url } = await launchOn(new URL(url).port));
    },
    stop: async () => {
      await end(child, "SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Deliveries {
  readonly deliveries: number[];
}

async function launch(options: readonly string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", MAIN, ...options], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.once("error", reject).once("exit", () => reject(new Error("the fake provider ended before it was ready")));
    if (child.stdout) createInterface(child.stdout).once("line", resolve);
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), READY_WITHIN_MS);
  const line = await ready.finally(() => clearTimeout(timer));
  return { child, url: (JSON.parse(line) as { url: string }).url };
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exited;
}
