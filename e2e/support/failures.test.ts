import { expect, it } from "vitest";
import { nameFailures } from "./failures";

const passed = { status: "passed", fullName: "adds", failureMessages: [] };
const failed = { status: "failed", fullName: "takes away", failureMessages: ["expected 1 to be 2\n at x"] };

it("names each failed test by its file, with the first line of the error", () => {
  const testResults = [{ name: "/root/a/sum.test.ts", status: "failed", assertionResults: [passed, failed] }];
  expect(nameFailures({ testResults }, "/root")).toEqual(["a/sum.test.ts › takes away: expected 1 to be 2"]);
});

it("names a file that failed before its tests", () => {
  const testResults = [
    { name: "/root/b.test.ts", status: "failed", message: "no such module\n at y", assertionResults: [] },
  ];
  expect(nameFailures({ testResults }, "/root")).toEqual(["b.test.ts: no such module"]);
});

it("names nothing if all passed, or if no report was written", () => {
  const testResults = [{ name: "/root/c.test.ts", status: "passed", assertionResults: [passed] }];
  expect([nameFailures({ testResults }, "/root"), nameFailures(null, "/root")]).toEqual([[], []]);
});
