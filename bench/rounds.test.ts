// Rounds with contestants that answer from a script.
import { expect, it } from "vitest";
import { type Contestant, type Measured, runCase } from "./rounds";
import { type Round, summarise } from "./statistics";

const settings = { rounds: 2, seconds: 1, warmUpSeconds: 0 };
const turns: string[] = [];
/** The turns, and "-" for each wait. */
const steps: string[] = [];

function contestant(name: string, latencies: readonly number[], more: Partial<Contestant & Round> = {}): Contestant {
  const { failed = 0, ...rest } = more;
  const run = async () => {
    turns.push(name);
    steps.push(name);
    return { ...summarise(latencies, 1), failed };
  };
  return { name, run, ...rest };
}

async function play(...contestants: Contestant[]): Promise<{ kept: Measured[]; fault: string | null }> {
  turns.length = 0;
  steps.length = 0;
  const kept: Measured[] = [];
  const one = { name: "a case", connections: [2, 8], contestants };
  const untilQuiet = async () => void steps.push("-");
  const fault = await runCase(one, settings, untilQuiet, (result) => kept.push(result)).then(
    () => null,
    (error: Error) => error.message,
  );
  return { kept, fault };
}

it("gives everyone a turn, then everyone again, each after the earlier load is over, and some contestants only with enough connections", async () => {
  const { kept, fault } = await play(contestant("A", [1, 2]), contestant("B", [3], { fromConnections: 8 }));
  expect(steps.join("")).toBe("-A-A-A-A-B-A-B-A-B");
  expect(kept.map((one) => `${one.contestant}${one.connections}: ${one.done}`)).toEqual(["A2: 4", "A8: 4", "B8: 2"]);
  expect(fault).toBeNull();
});

it("reports missing or excess rows as a fault", async () => {
  const honest = await play(contestant("A", [1], { countRows: async () => turns.length }));
  expect(honest.fault).toBeNull();
  expect((await play(contestant("A", [1, 1], { countRows: async () => turns.length }))).fault).toContain("made 1 rows");
  expect((await play(contestant("A", [1], { countRows: async () => turns.length * 100 }))).fault).toContain(
    "made 100 rows",
  );
});

it("reports our rejections as a fault, and counts a round without answers as the slowest", async () => {
  expect((await play(contestant("A", [1], { failed: 3 }))).fault).toContain("A refused 6");
  expect((await play(contestant("A", [1], { failed: 3, mayFail: true }))).fault).toBeNull();
  const silent = await play(contestant("A", []));
  expect(silent.fault).toContain("A");
  expect(silent.kept[0]).toMatchObject({ rate: 0, p99: Number.POSITIVE_INFINITY, spread: 0 });
});

it("drops a contestant that throws, and continues with the others", async () => {
  const broken: Contestant = { name: "B", run: () => Promise.reject(new Error("is gone")) };
  const { kept, fault } = await play(contestant("A", [1]), broken);
  expect(kept.map((one) => one.contestant)).toEqual(["A", "A"]);
  expect(fault).toBe("B at 2 connections: is gone; B at 8 connections: is gone");
});
