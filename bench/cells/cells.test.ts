import { expect, it } from "vitest";
import { type CellsResults, cellsGoals, cellsMarkdown, isCellsMet, perCell, type Sample } from "./report";

const sample = (cells: number, changes: Partial<Sample> = {}): Sample => ({
  cells,
  readySeconds: 2,
  memory: { web: 200 + cells, worker: 100 + 2 * cells },
  idle: { webCpu: 0.01, workerCpu: 0.01 * cells, postgresCpu: 0.01 * cells, transactions: 40 * cells, connections: 8 },
  createsPerSecond: 1_000,
  busyConnections: 20,
  ...changes,
});
const results = (last: Partial<Sample> = {}): CellsResults => ({
  at: "now",
  machine: "test",
  samples: [sample(1), sample(2), sample(11, last)],
});

it("what a further cell costs is the difference between most cells and one", () => {
  expect(perCell(results(), ({ memory }) => memory.worker)).toBe(2);
  expect(() => perCell({ ...results(), samples: [sample(1)] }, ({ cells }) => cells)).toThrow("at least two");
});

it("a cell that costs too much misses its goal", () => {
  expect(isCellsMet(results())).toBe(true);
  const missed = cellsGoals(results({ memory: { web: 201, worker: 203 } })).filter(
    ({ value, most }) => !(value <= most),
  );
  expect(missed.map(({ goal }) => goal)).toEqual(["memory of the worker"]);
  expect(isCellsMet(results({ memory: { web: Number.NaN, worker: 120 } }))).toBe(false);
});

it("the report shows each number of cells", () => {
  expect(cellsMarkdown(results())).toContain("| idle: transactions a second | 40 | 80 | 440 |");
});
