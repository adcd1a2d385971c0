// Captures standard error in tests of the operator's commands.
import { vi } from "vitest";

/** Passes each text to `onLine` instead of printing it, until `vi.restoreAllMocks`. */
export function catchStandardError(onLine: (line: string) => unknown = () => undefined): void {
  vi.spyOn(process.stderr, "write").mockImplementation((line) => {
    onLine(String(line));
    return true;
  });
}
