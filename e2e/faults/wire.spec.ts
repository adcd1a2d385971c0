// A representative part of `npm run faults`: writes whose answers are lost at any message, and processes killed at some.
import { expect, test } from "../support/fixtures";
import { randomBelow } from "../support/random";
import type { Act } from "./wire/cutter";
import { GROUPS } from "./wire/groups";
import { expectedOf, play, playDouble } from "./wire/play";
import { type Lane, openStage, type Stage } from "./wire/stage";
import { LOOPS_NOT_PLAYED } from "./wire/unplayed-loops";

interface Sample {
  readonly id: string;
  readonly act: Act | "double";
  /** The messages to cut; all if omitted, and for two faults in a row. */
  readonly at?: readonly number[];
}

const SEED = 1;
/** Cuts that each sample makes at least, if it does not name their messages. */
const CUTS_AT_LEAST = 3;

const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  rest: [
    { id: "createPaymentIntent", act: "lose_answer" },
    { id: "createPaymentIntent", act: "kill", at: [1, 4, 6] },
    { id: "createPayoutIntent", act: "double" },
    { id: "createTopupIntent", act: "reset" },
    { id: "cancelPayoutIntent", act: "lose_answer" },
    { id: "simulate", act: "lose_answer" },
  ],
  dashboard: [{ id: "payoutIntents.approve", act: "lose_answer" }],
  commands: [{ id: "merchants create", act: "lose_answer" }],
  worker: [
    { id: "payout intents: dispatch", act: "reset" },
    { id: "payout intents: dispatch", act: "kill", at: [2, 3, 5] },
    { id: "deliveries: send", act: "lose_answer" },
  ],
};

for (const { name, hasWorker, scenariosOf } of GROUPS) {
  test.describe(name, () => {
    test.describe.configure({ mode: "serial" });
    test.setTimeout(240_000);
    let stage: Stage;
    let lane: Lane;

    test.beforeAll(async () => {
      test.setTimeout(240_000);
      stage = await openStage({ hasWorker });
      lane = await stage.openLane();
    });

    test.afterAll(() => stage.close());

    for (const { id, act, at } of SAMPLES[name] ?? []) {
      test(`${id}, ${act}: the outcome is as without a cut`, async () => {
        const scenario = scenariosOf(lane)[id];
        if (!scenario) throw new Error(`there is no scenario ${id}`);
        const expected = await expectedOf(lane, scenario);
        const played = await (act === "double"
          ? playDouble(lane, scenario, expected, randomBelow(SEED), CUTS_AT_LEAST)
          : play(lane, scenario, expected, act, at));
        expect(played.problems).toEqual([]);
        expect(played.fired.length).toBeGreaterThanOrEqual(at?.length ?? CUTS_AT_LEAST);
      });
    }

    if (name === "rest")
      test("every operation that writes has a scenario", async () => {
        const answer = await fetch(`${stage.bridge.world.service.baseUrl}/openapi.json`);
        const { paths } = (await answer.json()) as { paths: Record<string, Record<string, { operationId: string }>> };
        const writes = Object.values(paths)
          .flatMap((methods) => Object.entries(methods))
          .filter(([method]) => ["post", "patch", "delete", "put"].includes(method))
          .map(([, { operationId }]) => operationId);
        expect(Object.keys(scenariosOf(lane)).sort()).toEqual(writes.sort());
      });

    if (name === "worker")
      test("every loop of the worker has a scenario", async () => {
        const loops = (await lane.rescuer()).ready as string[];
        const played = Object.keys(scenariosOf(lane)).map((id) => id.split(":")[0] ?? "");
        const known = new Set([...played, ...Object.keys(LOOPS_NOT_PLAYED)]);
        expect([...known].sort()).toEqual([...loops].sort());
      });
  });
}
