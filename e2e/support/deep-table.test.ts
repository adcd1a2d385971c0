import { describe, expect, it } from "vitest";
import { type DeepRun, oldestFirst, withRun } from "./deep-table";

const PAGE = "# Title\n\n| part | result |\n|---|---|\n| zoo | ✓ old |\n";
const run = (part: string): DeepRun => ({
  part,
  goal: "0 failed",
  result: "3 passed, 0 failed",
  isPassed: true,
  minutes: 1.26,
  commit: "abc1234",
  date: "2026-11-22",
  machine: "2 × CPU",
});
const row = (part: string) => `| ${part} | 0 failed | ✓ 3 passed, 0 failed | 1.3 | abc1234 | 2026-11-22 | 2 × CPU |`;

describe("the table of deep runs", () => {
  it("gets a row for a new part, in order", () => {
    expect(withRun(PAGE, run("kills"))).toBe(PAGE.replace("| zoo", `${row("kills")}\n| zoo`));
  });

  it("gets a new row in place of the part's last one", () => {
    expect(withRun(PAGE, run("zoo"))).toBe(PAGE.replace("| zoo | ✓ old |", row("zoo")));
  });

  it("shows a failure as one", () => {
    expect(withRun(PAGE, { ...run("kills"), isPassed: false })).toContain("| kills | 0 failed | ✗ 3 passed");
  });

  it("tells which parts were played longest ago", () => {
    const page = withRun(withRun(PAGE, run("zoo")), { ...run("kills"), date: "2026-11-20" });
    expect(oldestFirst(page, ["zoo", "kills", "new"])).toEqual(["new", "kills", "zoo"]);
  });

  it("leaves what follows it where it is", () => {
    const page = `${PAGE}\nWhy the zoo fails.\n\n## Next\n`;
    expect(withRun(page, run("kills"))).toBe(page.replace("| zoo", `${row("kills")}\n| zoo`));
  });

  it("adds up what accumulates, over the runs that passed", () => {
    const played = (count: number, isPassed: boolean) => ({ ...run("zoo"), isPassed, count });
    const first = withRun(PAGE, played(163, true));
    expect(first).toContain("✓ 3 passed, 0 failed; 163 in all runs |");
    const failed = withRun(first, played(40, false));
    expect(failed).toContain("✗ 3 passed, 0 failed; 163 in all runs |");
    expect(withRun(failed, played(7, true))).toContain("✓ 3 passed, 0 failed; 170 in all runs |");
  });

  it("says what it has added up, where a part counts several things", () => {
    const played = { ...run("zoo"), result: "2 kills; 3 passed, 0 failed", count: 100, counted: "kills of Postgres" };
    const first = withRun(PAGE, played);
    expect(first).toContain("✓ 2 kills; 3 passed, 0 failed; 100 kills of Postgres in all runs |");
    expect(withRun(first, played)).toContain("; 200 kills of Postgres in all runs |");
  });

  it("is required", () => {
    expect(() => withRun("# Title\n", run("zoo"))).toThrow("no table");
  });
});
