// 200 histories of the outside world against their own service, after those that once showed a fault.
import { expect, test } from "@playwright/test";
import { regressions } from "../regressions";
import { missing } from "./coverage";
import { playService } from "./play";

const MINUTE = 60_000;

test("the running service meets the oracle's expectations, whatever the outside world does", async () => {
  test.setTimeout(10 * MINUTE);
  const first = regressions().map(({ history }) => history);
  const { histories, failures, counts, strayCalls } = await playService({
    seed: 20_261_122,
    histories: 200,
    clients: 8,
    first,
    shrinkForMs: MINUTE,
    onViolation: () => undefined,
  });
  expect(failures).toEqual([]);
  expect(strayCalls).toEqual([]);
  expect(histories).toBe(200 + first.length);
  expect(missing(counts, 1)).toEqual([]);
});
