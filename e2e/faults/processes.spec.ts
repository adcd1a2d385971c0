// A representative part of `npm run faults:processes`.
import { platform } from "node:os";
import { expect, test } from "../support/fixtures";
import { randomBelow } from "../support/random";
import { playsOf } from "./processes/plays";
import { OLDER_RELEASE } from "./processes/release";

const plays = playsOf(randomBelow(3), OLDER_RELEASE);

for (const name of ["zombies", "descriptors"] as const) {
  test(`${name}: nothing acknowledged is lost, and nothing is paid twice`, async () => {
    test.skip(platform() !== "linux", "needs Linux");
    test.setTimeout(300_000);
    const { problems, acknowledged } = await plays[name]();
    expect(problems).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
  });
}
