import { expect, it } from "vitest";
import { newestStates, shownOf } from "./newest-state";

const row = (id: string, second: number, status = `at ${second}`) => ({
  id,
  status,
  updated_at: `2026-01-01T00:00:0${second}.000Z`,
});

it("shows each row in its newest state, at its old position", () => {
  const rows = [row("a", 1), row("b", 1), row("c", 3)];
  const shown = newestStates(rows, [row("c", 2), row("b", 2), row("x", 9)], undefined, [row("b", 4)]);
  expect(shown.map(({ id, status }) => [id, status])).toEqual([
    ["a", "at 1"],
    ["b", "at 4"],
    ["c", "at 3"],
  ]);
});

it("takes the later of two readings with the same time", () => {
  expect(newestStates([row("a", 1, "old")], [row("a", 1, "new")])[0]?.status).toBe("new");
});

it("finds the newest row first or last, depending on the order", () => {
  const rows = ["a", "b", "c"].map((id) => ({ id, created_at: `made with ${id}` }));
  const [first, , last] = rows;
  expect(shownOf(rows)).toEqual({ newest: first, ids: ["a", "b", "c"] });
  expect(shownOf(rows, "oldest_first")).toEqual({ newest: last, ids: ["a", "b", "c"] });
  expect([shownOf(), shownOf([], "oldest_first")].map(({ newest }) => newest)).toEqual([null, null]);
});
