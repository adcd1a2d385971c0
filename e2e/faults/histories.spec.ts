// A representative part of `npm run faults:histories`.
import { expect, test } from "../support/fixtures";
import { randomBelow } from "../support/random";
import { playHistory } from "./histories/play";
import { openHistoryStage } from "./histories/stage";

const SEED = 7;
const OPERATIONS = 200;

test("a history of eight clients under faults comes to what the provider's record says", async () => {
  test.setTimeout(300_000);
  const stage = await openHistoryStage();
  try {
    const played = await playHistory(stage, randomBelow(SEED), OPERATIONS);
    const { problems, counts, operations, sightings, walks } = played;
    expect(problems).toEqual([]);
    expect(operations).toBe(OPERATIONS);
    expect(Object.keys(counts).length).toBeGreaterThan(3);
    expect(sightings).toBeGreaterThan(OPERATIONS);
    expect(walks).toBeGreaterThan(0);
  } finally {
    await stage.close();
  }
});
