import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { watchAcknowledgements } from "./acknowledgements";
import { timeReturn, type Victim } from "./kills";

const children: ChildProcess[] = [];

/** A process that waits; `start` replaces it. */
function waitingProcess(): Victim {
  let child = spawn("sleep", ["60"]);
  children.push(child);
  return {
    pid: () => child.pid ?? null,
    async kill() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
    async start() {
      child = spawn("sleep", ["60"]);
      children.push(child);
    },
  };
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

describe("the time of a return", () => {
  it("ends with the first acknowledged write that was sent after the kill", async () => {
    const { note, nextAfter } = watchAcknowledgements();
    const killedAt = performance.now();
    const waited = nextAfter(killedAt);
    note(killedAt - 1);
    await expect(Promise.race([waited, Promise.resolve("waits")])).resolves.toBe("waits");
    note(killedAt);
    await expect(waited).resolves.toBeGreaterThanOrEqual(0);
  });

  it("is measured for a process that was killed and replaced", async () => {
    const victim = waitingProcess();
    await expect(timeReturn(victim, { nextAfter: async () => 12 })).resolves.toBe(12);
  });

  it("is refused for a process that survives", async () => {
    const survivor = { ...waitingProcess(), kill: async () => {} };
    await expect(timeReturn(survivor, { nextAfter: async () => 12 })).rejects.toThrow("survived its kill");
  });

  it("is refused for a process that does not run", async () => {
    const dead = { ...waitingProcess(), pid: () => null };
    await expect(timeReturn(dead, { nextAfter: async () => 12 })).rejects.toThrow("does not run");
  });
});
