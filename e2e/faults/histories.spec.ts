// A representative part of `npm run faults:histories`.
import { expect, test } from "../support/fixtures";
import { randomBelow } from "../support/random";
import { playHistory } from "./histories/play";
import { openDatabaseStage } from "./postgres/play";

const SEED = 7;
const OPERATIONS = 200;

test("a history of eight clients under faults comes to what the provider's record says", async () => {
  test.setTimeout(300_000);
  const stage = await openDatabaseStage({
    env: { WEB_CONCURRENCY: "2", WORKER_CONCURRENCY: "2", PROVIDER_DEADLINE_MS: "1000" },
  });
  try {
    const { problems, counts, operations } = await playHistory(stage, randomBelow(SEED), OPERATIONS);
    expect(problems).toEqual([]);
    expect(operations).toBe(OPERATIONS);
    expect(Object.keys(counts).length).toBeGreaterThan(3);
  } finally {
    await stage.close();
  }
});
