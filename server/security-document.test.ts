// Documents that name tests name existing ones, and docs/asvs.md has each requirement of level 2 and 3 once, in order.
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import levels from "./testing/asvs-levels.json" with { type: "json" };

const ROOT = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const TABLE = read("docs/asvs.md");

/** The cells of each row; an id such as `17.*` stands for all requirements that begin so. */
const rows = TABLE.split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, id = "", level = "", state = "", where = ""]) => ({ id, level, state, where }));
const OFFICIAL: Readonly<Record<string, number>> = levels;

const DOCUMENTS = ["docs/asvs.md", "docs/security.md", "docs/reliability.md"];

it.each(DOCUMENTS)("every test and folder that %s names exists", (document) => {
  const named = [...read(document).matchAll(/`((?:server|e2e|bench)\/[^`]+)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
});

it("every row has its level, a known state and a reason", () => {
  const states = new Set(["met", "partly", "gap", "operator", "n/a"]);
  const isRight = ({ id, level, state, where }: (typeof rows)[number]) =>
    /^\d+\.(?:\d+\.)?(?:\d+|\*)$/.test(id) &&
    level === (id.endsWith("*") ? "all" : String(OFFICIAL[id] ?? 1)) &&
    states.has(state) &&
    where !== "";
  expect(rows.filter((row) => !isRight(row))).toEqual([]);
  expect(rows.filter(({ id, state }) => id.endsWith("*") && state !== "n/a")).toEqual([]);
});

it("rows are in order, none twice", () => {
  const numberOf = (id: string) =>
    [0, 1, 2].reduce((sum, index) => sum * 100 + (Number(id.replace("*", "0").split(".")[index]) || 0), 0);
  const numbers = rows.map(({ id }) => numberOf(id));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

it("no requirement of level 2 or 3 is missing", () => {
  expect(Object.keys(OFFICIAL)).toHaveLength(275);
  const covers = (row: string, id: string) => row === id || (row.endsWith("*") && id.startsWith(row.slice(0, -1)));
  const missing = Object.keys(OFFICIAL).filter((id) => !rows.some((row) => covers(row.id, id)));
  expect(missing).toEqual([]);
});
