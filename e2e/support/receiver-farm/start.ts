// Starts the farm in its own process, so that hostile receivers do not slow the tests.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Received } from "./farm";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

export interface RunningFarm {
  /** The address of a behavior of `behaviours.ts`; a path can be appended to distinguish endpoints. */
  url(behaviour: string): string;
  /** Deliveries that arrived completely, without the first `since`. */
  received(since?: number): Promise<Received[]>;
  /** Connections made to each behavior so far. */
  connections(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

/** Starts a farm on free ports of 127.0.0.1. Takes about a second; rejects if the process exits instead. */
export async function startReceiverFarm(): Promise<RunningFarm> {
  const child = spawn(process.execPath, ["--import", "tsx", MAIN], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    child.once("error", reject).once("exit", () => reject(new Error("the receiver farm ended before it was ready")));
    if (child.stdout) createInterface(child.stdout).once("line", resolve);
  });
  const { control } = JSON.parse(line) as { control: string };
  async function ask<Answer>(path: string): Promise<Answer> {
    const answer = await fetch(control + path);
    if (!answer.ok) throw new Error(`the receiver farm answers ${answer.status} to ${path}`);
    return (await answer.json()) as Answer;
  }
  const urls = await ask<Record<string, string>>("/urls");
  return {
    url: (behaviour) => {
      const url = urls[behaviour];
      if (url === undefined) throw new Error(`the receiver farm has no behaviour ${behaviour}`);
      return url;
    },
    received: (since = 0) => ask(`/received?since=${since}`),
    connections: () => ask("/connections"),
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
