// Owns lanes: work under the same name runs a few at a time, so that one that hangs takes nobody else's place.

export interface Lanes {
  /** Runs the work once its lane has room; resolves when it is over, whether or not it failed. */
  run(name: string, work: () => Promise<void>): Promise<void>;
  /** How many more each lane with work can run now; lanes not named have their whole width free. */
  room(): Readonly<Record<string, number>>;
  /** Resolves when nothing is running or waiting. */
  idle(): Promise<void>;
}

interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

/** Lanes of `width` each; a lane exists while it has work. */
export function createLanes(width: number): Lanes {
  const lanes = new Map<string, Lane>();
  const underWay = new Set<Promise<void>>();

  async function enter(name: string): Promise<void> {
    const lane = lanes.get(name) ?? { running: 0, waiting: [] };
    lanes.set(name, lane);
    if (lane.running < width) lane.running += 1;
    else await new Promise<void>((resolve) => lane.waiting.push(resolve));
  }

  function leave(name: string): void {
    const lane = lanes.get(name);
    if (!lane) return;
    const next = lane.waiting.shift();
    if (next) next();
    else if (lane.running === 1) lanes.delete(name);
    else lane.running -= 1;
  }

  return {
    run(name, work) {
      const done = enter(name)
        .then(work)
        .catch(() => {})
        .then(() => leave(name));
      underWay.add(done);
      return done.finally(() => underWay.delete(done));
    },
    room: () => Object.fromEntries([...lanes].map(([name, { running }]) => [name, width - running])),
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
