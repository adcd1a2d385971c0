// A representative part of `npm run faults:recovery`. It asserts no times, which depend on the machine.
import { platform } from "node:os";
import { expect, test } from "../support/fixtures";
import { randomBelow } from "../support/random";
import { openDatabaseStage } from "./postgres/play";
import { playKills } from "./recovery/play";

const SEED = 1;
const COUNTS = { web: 2, postgres: 2, workers: 1 };

test("after each kill writes are acknowledged again, and claims are taken over; nothing is lost or unresolved", async () => {
  test.skip(platform() !== "linux", "needs Linux");
  test.setTimeout(600_000);
  const stage = await openDatabaseStage();
  try {
    const { web, postgres, worker, workerKills, ...found } = await playKills(stage, COUNTS, randomBelow(SEED));
    expect([web.length, postgres.length, workerKills]).toEqual([COUNTS.web, COUNTS.postgres, COUNTS.workers]);
    expect(worker.length).toBeGreaterThan(0);
    expect(found).toMatchObject({ lost: [], unresolved: [], others: [] });
  } finally {
    await stage.close();
  }
});
