import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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

  it("can be taken again after its release, and leaves no files", async () => {
    const first = await tryOwnerLock(path, "service");
    if (first.acquired) await first.release();
    expect(readdirSync(folder)).toEqual([]);
    expect((await tryOwnerLock(path, "command")).acquired).toBe(true);
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
