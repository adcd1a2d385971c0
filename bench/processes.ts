// The bench's own processes: a limit prints its result and ends, a peer prints its address and stays.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PROJECT_ROOT, type Variables } from "@/e2e/support/service-process";
import { PGBENCH, runPgbench } from "./limit/pgbench";
import type { PostsTask } from "./limit/posts";
import type { LimitTask } from "./limit/task";
import type { Round } from "./statistics";

function spawnSource(file: string, words: readonly string[], variables: Variables = {}): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", join(PROJECT_ROOT, "bench", file), ...words], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, NODE_ENV: "production", ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Runs one round of the limit in a separate process: pgbench if installed, else a loop over bare `pg`. */
export function runLimit(task: LimitTask): Promise<Round> {
  return PGBENCH ? runPgbench(PGBENCH, task) : runLoop(task);
}

function runLoop(task: LimitTask): Promise<Round> {
  return runToItsEnd("limit/loop.ts", task);
}

/** Runs one round of bare posts in a separate process. */
export function runPosts(task: PostsTask): Promise<Round> {
  return runToItsEnd("limit/posts.ts", task);
}

/** Runs a task in a separate process, and returns the document that it prints. */
export async function runToItsEnd<Result>(file: string, task: object): Promise<Result> {
  const child = spawnSource(file, [JSON.stringify(task)]);
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${file} ended with ${String(code)}`);
  return JSON.parse(text) as Result;
}

export interface Peer {
  readonly baseUrl: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a peer and waits for the line with its address. */
export async function startPeer(file: string, words: readonly string[], variables: Variables = {}): Promise<Peer> {
  const child = spawnSource(file, words, variables);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  process.once("exit", () => child.kill("SIGKILL"));
  if (!child.stdout || child.pid === undefined) throw new Error(`${file} could not be started`);
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith("http://")) return { baseUrl: line.trim(), pid: child.pid, stop };
  }
  throw new Error(`${file} ended instead of listening`);
}
