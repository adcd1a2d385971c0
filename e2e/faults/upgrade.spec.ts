// A representative part of `npm run drill:upgrade`: the release replaces itself, in the same order and under the same load.
import { platform } from "node:os";
import { expect, test } from "../support/fixtures";
import { PROJECT_ROOT } from "../support/service-process";
import { playUpgrade } from "../upgrade/drill/play";

test("a release is replaced under load: nothing acknowledged is lost, and nothing is paid twice", async () => {
  test.skip(platform() !== "linux", "needs Linux");
  test.setTimeout(600_000);
  const { problems, acknowledged, migrations, downtimeMs, callbacks, approvals } = await playUpgrade(PROJECT_ROOT);
  expect(problems).toEqual([]);
  expect(migrations).toBe(0);
  expect(acknowledged).toBeGreaterThan(0);
  expect(downtimeMs).toBeGreaterThan(0);
  for (const count of [...callbacks, ...approvals]) expect(count).toBeGreaterThan(0);
});
