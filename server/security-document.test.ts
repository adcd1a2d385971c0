// docs/security.md names tests that exist, and each requirement once, in order.
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROOT = new URL("../", import.meta.url);
const DOCUMENT = readFileSync(new URL("docs/security.md", ROOT), "utf8");

/** The cells of each row of a requirement. */
const requirements = DOCUMENT.split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

it("every test and folder that the document names exists", () => {
  const named = [...DOCUMENT.matchAll(/`((?:server|e2e)\/[^`]+)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
});

it("every requirement has a level and a known state", () => {
  const states = new Set(["met", "partly", "gap", "operator", "n/a"]);
  const wrong = requirements.filter(([, id = "", level = "", state = ""]) => {
    return !/^\d+\.\d+\.\d+$/.test(id) || !["1", "2", "3"].includes(level) || !states.has(state);
  });
  expect(wrong).toEqual([]);
});

it("requirements are in order, none twice", () => {
  const numbers = requirements.map(([, id = ""]) => id.split(".").reduce((sum, part) => sum * 100 + Number(part), 0));
  expect(numbers.length).toBeGreaterThan(60);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});
