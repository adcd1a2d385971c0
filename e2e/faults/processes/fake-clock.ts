// The system clock of chosen processes, set while they run. Timers go on as before, as when a machine's clock is set.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Variables } from "../../support/service-process";

const LIBRARIES = "/usr/lib";
const LIBRARY = "faketime/libfaketimeMT.so.1";

/** Processes read their clock's file this often, in seconds. */
const READ_EVERY_SECONDS = "1";
/** After this many ms all of them have the new time. */
export const READ_WITHIN_MS = 1_500;

export interface FakeClock {
  /** Processes that are started with these have this clock. */
  readonly variables: Variables;
  /** Sets it to so many seconds ahead of the machine's clock, or behind it if negative. */
  set(seconds: number): void;
}

/** Creates a clock that still shows the machine's time; its state is a new file in the folder. */
export function createFakeClock(folder: string, name: string): FakeClock {
  const paths = readdirSync(LIBRARIES).map((entry) => join(LIBRARIES, entry, LIBRARY));
  const library = paths.find((path) => existsSync(path));
  if (!library) throw new Error("needs libfaketime");
  const file = join(folder, `${name}.clock`);
  const set = (seconds: number) => writeFileSync(file, seconds < 0 ? String(seconds) : `+${seconds}`, { mode: 0o644 });
  set(0);
  return {
    variables: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: READ_EVERY_SECONDS,
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    set,
  };
}
