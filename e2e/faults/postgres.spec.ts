// A representative part of `npm run faults:postgres`: the database fails under load, and the service recovers by itself.
import { expect, test } from "../support/fixtures";
import { playFailover } from "./postgres/failover";
import { FAULTS } from "./postgres/faults";
import { type DatabaseStage, openDatabaseStage, playFault } from "./postgres/play";

let stage: DatabaseStage;

test.describe.configure({ mode: "serial" });
test.setTimeout(300_000);

test.beforeAll(async () => {
  test.setTimeout(300_000);
  stage = await openDatabaseStage({ isDiskSmall: true });
});

test.afterAll(() => stage.close());

for (const name of ["session", "postmaster", "disk"]) {
  test(`${name}: nothing acknowledged is lost, nothing is paid twice, and answers are 201 or 503 in time`, async () => {
    test.skip(name === "disk" && stage.disk === null, "needs root");
    const fault = FAULTS[name];
    if (!fault) throw new Error(`there is no fault ${name}`);
    const { unavailable, problems } = await playFault(stage, fault);
    expect(problems).toEqual([]);
    expect(unavailable).toBeGreaterThan(0);
  });
}

test("failover to a synchronous replica: nothing acknowledged is lost, and nothing is paid twice", async () => {
  const { problems } = await playFailover(stage, "synchronous");
  expect(problems).toEqual([]);
});

test("failover: a replica that misses the last seconds takes over; what merchants repeat is paid once", async () => {
  const { problems } = await playFailover(stage, "asynchronous");
  expect(problems).toEqual([]);
});
