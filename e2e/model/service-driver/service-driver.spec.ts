// Two hundred histories of the outside world against a service of their own, after those that once showed a fault.
import { expect, test } from "@playwright/test";
import { regressions } from "../regressions";
import { playService } from "./play";

const HISTORIES = 200;
const CLIENTS = 8;

test("the running service does what the oracle asks for, whatever the outside world does", async () => {
  test.setTimeout(15 * 60_000);
  const first = regressions().map(({ history }) => history);
  const { histories, failures, faults } = await playService({ seed: 1, histories: HISTORIES, clients: CLIENTS, first });
  expect(failures).toEqual([]);
  expect(histories).toBe(HISTORIES + first.length);
  expect([...faults.keys()]).toEqual(expect.arrayContaining(["overlap", "duplicate", "create answer_lost", "forget"]));
});
