// Owns the proof of rounds with contestants that answer from a script: whose turn it is, what is kept, what is a fault.
import { expect, it } from "vitest";
import { type Contestant, type Measured, runCase } from "./rounds";
import { type Round, summarise } from "./statistics";

const settings = { rounds: 2, seconds: 1, warmUpSeconds: 0 };
const turns: string[] = [];

function contestant(name: string, latencies: readonly number[], more: Partial<Contestant & Round> = {}): Contestant {
  const { failed = 0, ...rest } = more;
  const run = async () => {
    turns.push(name);
    return { ...summarise(latencies, 1), failed };
  };
  return { name, run, ...rest };
}

async function play(...contestants: Contestant[]): Promise<{ kept: Measured[]; fault: string | null }> {
  turns.length = 0;
  const kept: Measured[] = [];
  const one = { name: "a case", connections: [2, 8], contestants };
  const fault = await runCase(one, settings, (result) => kept.push(result)).then(
    () => null,
    (error: Error) => error.message,
  );
  return { kept, fault };
}

it("everyone has a turn, then everyone again, those who come later only with enough connections", async () => {
  const { kept, fault } = await play(contestant("A", [1, 2]), contestant("B", [3], { fromConnections: 8 }));
  expect(turns.join("")).toBe("AAAABABAB");
  expect(kept.map((one) => `${one.contestant}${one.connections}: ${one.done}`)).toEqual(["A2: 4", "A8: 4", "B8: 2"]);
  expect(fault).toBeNull();
});

it("rows that are missing or too many for the answers are a fault", async () => {
  const honest = await play(contestant("A", [1], { countRows: async () => turns.length }));
  expect(honest.fault).toBeNull();
  expect((await play(contestant("A", [1, 1], { countRows: async () => turns.length }))).fault).toContain("made 1 rows");
  expect((await play(contestant("A", [1], { countRows: async () => turns.length * 100 }))).fault).toContain(
    "made 100 rows",
  );
});

it("a refusal is a fault where it is ours, and what answered nothing is slower than anything", async () => {
  expect((await play(contestant("A", [1], { failed: 3 }))).fault).toContain("A refused 6");
  expect((await play(contestant("A", [1], { failed: 3, mayFail: true }))).fault).toBeNull();
  const silent = await play(contestant("A", []));
  expect(silent.fault).toContain("A");
  expect(silent.kept[0]).toMatchObject({ rate: 0, p99: Number.POSITIVE_INFINITY, spread: 0 });
});

it("who throws takes no further part, and the others go on", async () => {
  const broken: Contestant = { name: "B", run: () => Promise.reject(new Error("is gone")) };
  const { kept, fault } = await play(contestant("A", [1]), broken);
  expect(kept.map((one) => one.contestant)).toEqual(["A", "A"]);
  expect(fault).toBe("B at 2 connections: is gone; B at 8 connections: is gone");
});
