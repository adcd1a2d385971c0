// What the operator's acts say on standard error.
import { vi } from "vitest";

/** From now on, passes each text to `onLine` instead of printing it. `vi.restoreAllMocks` ends that. */
export function catchStandardError(onLine: (line: string) => unknown = () => undefined): void {
  vi.spyOn(process.stderr, "write").mockImplementation((line) => {
    onLine(String(line));
    return true;
  });
}
