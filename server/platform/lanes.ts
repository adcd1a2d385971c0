// Lanes: work under the same name runs a few at a time, so that hanging work does not block other lanes.
import pLimit, { type LimitFunction } from "p-limit";
import { createUnderWay } from "./under-way";

export interface Lanes {
  /** Runs the work once its lane has room; resolves when it has ended, also after a failure. */
  run(name: string, work: () => Promise<void>): Promise<void>;
  /** Returns the free places of each lane with work; lanes not listed are completely free. */
  room(): Readonly<Record<string, number>>;
  /** Resolves when nothing is running or waiting. */
  idle(): Promise<void>;
}

/**
 * Returns lanes; `widthOf` says how many works run at a time under a name. Use few names, such as those of providers: no
 * lane is ever removed.
 */
export function createLanes(widthOf: (name: string) => number): Lanes {
  const lanes = new Map<string, LimitFunction>();
  const underWay = createUnderWay();

  function laneOf(name: string): LimitFunction {
    const lane = lanes.get(name) ?? pLimit(widthOf(name));
    lanes.set(name, lane);
    return lane;
  }

  return {
    run: (name, work) => underWay.track(laneOf(name)(work).catch(() => {})),
    room() {
      const busy = [...lanes].filter(([, { activeCount }]) => activeCount > 0);
      return Object.fromEntries(busy.map(([name, { activeCount }]) => [name, widthOf(name) - activeCount]));
    },
    idle: () => underWay.idle(),
  };
}
