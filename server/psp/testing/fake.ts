// The life of a provider's fake in the tests of its adapter.
import { afterAll, beforeAll, beforeEach } from "vitest";

interface Fake {
  readonly calls: unknown[];
  clear(): void;
  stop(): Promise<void>;
}

/** Starts a fake before the tests of a file, and calls `prepare` with it before each test, without calls or faults. */
export function withFake<Started extends Fake>(
  start: () => Promise<Started>,
  prepare: (fake: Started) => void | Promise<void>,
): void {
  let fake: Started;
  beforeAll(async () => {
    fake = await start();
  });
  afterAll(() => fake.stop());
  beforeEach(async () => {
    fake.clear();
    fake.calls.length = 0;
    await prepare(fake);
  });
}
