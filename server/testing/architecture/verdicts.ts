// Planted breaches of a rule, to test that it detects them.
import { expect } from "vitest";
import type { Rule, SourceFile } from "./tree";

const HEADER = "// Owns a planted example.\n";

/** A file as it would be in the tree. */
export function planted(path: string, text: string): SourceFile {
  return { path, text: HEADER + text };
}

/** Expects the rule to report each broken file and to accept each sound one, one at a time. */
export function expectVerdicts(rule: Rule, broken: readonly SourceFile[], sound: readonly SourceFile[]): void {
  for (const file of broken) expect([file.path, file.text, rule([file]).length]).toEqual([file.path, file.text, 1]);
  for (const file of sound) expect(rule([file])).toEqual([]);
}
