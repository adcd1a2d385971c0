import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tryOwnerLock } from "./owner-lock";
import { processIdentity } from "./process-identity";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-lock-"));
  path = join(folder, "postgres.lock");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("tryOwnerLock", () => {
  it("grants the lock to exactly one of many simultaneous calls, and reports its owner to the others", async () => {
    const attempts = await Promise.all(Array.from({ length: 20 }, () => tryOwnerLock(path, "service")));
    expect(attempts.filter((attempt) => attempt.acquired)).toHaveLength(1);
    const losers = attempts.flatMap((attempt) => (attempt.acquired ? [] : [attempt.owner.pid]));
    expect(new Set(losers)).toEqual(new Set([process.pid]));
  });

  it("can be taken again after its release, and leaves one file, which names nobody", async () => {
    for (let time = 0; time < 3; time += 1) {
      const attempt = await tryOwnerLock(path, "service");
      expect(attempt.acquired).toBe(true);
      if (attempt.acquired) await attempt.release();
    }
    const left = readdirSync(folder);
    expect(left).toEqual(["postgres.lock.3"]);
    expect(readFileSync(join(folder, left[0] ?? ""), "utf8")).toBe("released\n");
    expect((await tryOwnerLock(path, "command")).acquired).toBe(true);
  });

  it("stays with a live owner of an earlier release", async () => {
    const owner = { pid: process.pid, identity: processIdentity(process.pid), role: "service" };
    writeFileSync(path, JSON.stringify(owner));
    expect(await tryOwnerLock(path, "command")).toEqual({ acquired: false, owner });
  });

  it("has one owner in each of 300 crashes after which ten processes start at once", async () => {
    for (let crash = 0; crash < 300; crash += 1) {
      const file = join(folder, `${crash}.lock`);
      writeFileSync(file, "{");
      const attempts = await Promise.all(Array.from({ length: 10 }, () => tryOwnerLock(file, "service")));
      expect(attempts.filter((attempt) => attempt.acquired)).toHaveLength(1);
    }
  });

  it.each([
    ["a process that is gone", JSON.stringify({ pid: 4_194_303, identity: "gone", role: "service" })],
    [
      "an earlier process with the number of a live one",
      JSON.stringify({ pid: process.pid, identity: "earlier", role: "service" }),
    ],
    ["nobody readable", "{"],
  ])("is taken from %s, by one of many", async (_title, left) => {
    writeFileSync(path, left);
    const attempts = await Promise.all(Array.from({ length: 10 }, () => tryOwnerLock(path, "service")));
    expect(attempts.filter((attempt) => attempt.acquired)).toHaveLength(1);
  });
});

describe("processIdentity", () => {
  it("is stable for a live process and absent for none", () => {
    expect(processIdentity(process.pid)).toBe(processIdentity(process.pid));
    expect(processIdentity(4_194_303)).toBeNull();
  });
});
