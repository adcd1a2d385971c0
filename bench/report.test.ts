import { describe, expect, it } from "vitest";
import { verdicts } from "./goals";
import {
  CREATE,
  DEEP_LIST,
  FILTERED,
  firstPage,
  LIMIT_CTE,
  LIMIT_STATEMENTS,
  LIST,
  MEMORY_SLOPE,
  SLUICE,
} from "./names";
import { readOptions } from "./options";
import { markdown } from "./report";
import { noResults, type Results } from "./results";
import type { Measured } from "./rounds";

function measured(name: string, contestant: string, rate: number, more: Partial<Measured> = {}): Measured {
  const times = { p50: 1, p99: 2, done: 100, failed: 0, rows: 100, cpuMsPerRequest: 0.2, spread: 0.1 };
  return { case: name, contestant, connections: 32, rate, ...times, ...more };
}

function verdictOf(results: Results, goal: string) {
  return verdicts(results).find((one) => one.goal.startsWith(goal));
}

const around = {
  at: "2026-11-22T01:40:00.000Z",
  machine: { cpu: "a processor", cores: 2 },
  versions: { node: "v20.20.0" },
  postgres: { fsync: "on" },
  rowsAtTheEnd: { payment_intent: 1_234_567 },
};

describe("goals", () => {
  it("compare rates of the same case at the same connections", () => {
    const results = noResults();
    results.measured.push(
      measured(CREATE, SLUICE, 900),
      measured(CREATE, LIMIT_STATEMENTS, 500),
      measured(CREATE, LIMIT_CTE, 1_000),
      measured(CREATE, LIMIT_CTE, 100, { connections: 128 }),
    );
    expect(verdictOf(results, `${CREATE} ÷ ${LIMIT_STATEMENTS}, 32`)).toMatchObject({ measured: 1.8, met: true });
    expect(verdictOf(results, `${CREATE} ÷ ${LIMIT_CTE}, 32`)).toMatchObject({ measured: 0.9, met: true });
    expect(verdictOf(results, `${CREATE} ÷ ${LIMIT_CTE}, 128`)).toMatchObject({ measured: null, met: null });
  });

  it("ask for more of the CTE form's rate at many connections", () => {
    const results = noResults();
    const at128 = { connections: 128 };
    results.measured.push(measured(CREATE, SLUICE, 900, at128), measured(CREATE, LIMIT_CTE, 1_000, at128));
    expect(verdictOf(results, `${CREATE} ÷ ${LIMIT_CTE}, 128`)).toMatchObject({ measured: 0.9, met: false });
  });

  it("compare the deep page's p99 with the first page's", () => {
    const results = noResults();
    results.measured.push(measured(LIST, SLUICE, 900, { p99: 10 }), measured(DEEP_LIST, SLUICE, 100, { p99: 20 }));
    expect(verdictOf(results, DEEP_LIST)).toMatchObject({ measured: 2, met: false });
  });

  it("are not met because a contestant answers nothing", () => {
    const results = noResults();
    results.measured.push(measured(CREATE, SLUICE, 900), measured(CREATE, LIMIT_CTE, 0, { done: 0 }));
    expect(verdictOf(results, `${CREATE} ÷ ${LIMIT_CTE}, 32`)).toMatchObject({ measured: null, met: null });
  });

  it("compare the worst filter with the same filter over few rows", () => {
    const results = noResults();
    for (const [filter, p99] of [["status", 11] as const, ["country", 19] as const])
      results.measured.push(
        measured(`${FILTERED}${filter}`, firstPage(10_000), 1, { p99: 10 }),
        measured(`${FILTERED}${filter}`, firstPage(1_000_000), 1, { p99 }),
      );
    const verdict = verdictOf(results, "worst filter over many rows, first page");
    expect(verdict).toMatchObject({ measured: 1.9, met: false });
  });

  it("use single figures unchanged", () => {
    const results = noResults();
    results.figures.push({ name: MEMORY_SLOPE, value: -0.5, unit: "MiB per 100,000" });
    expect(verdictOf(results, MEMORY_SLOPE)).toMatchObject({ measured: -0.5, met: true });
  });
});

describe("the report", () => {
  it("has machine, versions, settings, rows, rates with spread, and single figures", () => {
    const results = noResults();
    results.measured.push(measured(CREATE, SLUICE, 900.4), measured(CREATE, LIMIT_STATEMENTS, 450.2));
    results.figures.push({ name: "loading", value: 12.5, unit: "s", note: "by SQL" });
    const text = markdown(around, readOptions([]), results);
    expect(text).toContain("cpu a processor, cores 2");
    expect(text).toContain("payment_intent 1,234,567");
    expect(text).toContain(`| ${CREATE} | 32 | ${SLUICE} | 900 | 10 % |  | 1.00 | 2.00 | 100 | 0 | 100 | 0.200 |`);
    expect(text).toContain(`| ${LIMIT_STATEMENTS} | 450 | 10 % | 2.00 × |`);
    expect(text).toContain("| loading | 12.50 s | by SQL |");
    expect(text).not.toContain("What went wrong");
  });

  it("lists failures and skipped sections", () => {
    const results = noResults();
    results.failures.push({ what: CREATE, message: "made 3 rows\nand more" });
    results.leftOut.push("start");
    const text = markdown(around, readOptions(["--quick"]), results);
    expect(text).toContain(`- **${CREATE}** failed: made 3 rows\n`);
    expect(text).toContain("- **start** was left out");
    expect(text).toContain("npm run bench -- --quick");
  });
});

it("unknown words on the command line are rejected", () => {
  expect(() => readOptions(["--quik"])).toThrow("--quik");
  expect(readOptions(["--only", "create,read", "--only=start"]).only).toEqual(["create", "read", "start"]);
});
