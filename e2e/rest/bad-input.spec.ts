// Bad input: every request of the tables is rejected exactly as the contract states, without a trace.
import { test as base, expect } from "@playwright/test";
import { type Service, startService } from "../support/service";
import { oddInputs } from "./bad-input/cases/odd-and-right";
import { CATEGORIES } from "./bad-input/categories";
import { runOddInputs } from "./bad-input/odd";
import { CONNECTIONS, runBadInputs } from "./bad-input/run";
import { type Scene, setScene } from "./bad-input/scene";
import { createSender, type Sender } from "./bad-input/send";
import { merchantsOf, settledTracesOf, type Traces, tracesOf } from "./bad-input/traces";
import { openDatabaseOf } from "./database";

const FEWEST_CASES = 1_500;

interface Stage {
  readonly service: Service;
  readonly scene: Scene;
  readonly sender: Sender;
  /** The traces before the first bad request. */
  readonly tracesBefore: Traces;
  readonly traces: () => Promise<Traces>;
}

const test = base.extend<object, { stage: Stage }>({
  stage: [
    async ({}, use) => {
      const service = await startService();
      const database = await openDatabaseOf(service);
      const others = await merchantsOf(database);
      const scene = await setScene(service);
      const sender = createSender(service.baseUrl, CONNECTIONS);
      const tracesBefore = await settledTracesOf(database, others);
      const traces = () => tracesOf(database, others);
      await use({ service, scene, sender, tracesBefore, traces });
      sender.close();
      await database.close();
      await service.dispose();
    },
    { scope: "worker", timeout: 400_000 },
  ],
});

const tables = Object.entries(CATEGORIES).map(([category, make]) => [category, make()] as const);
const odd = oddInputs();

test(`there are at least ${FEWEST_CASES} cases, and no request or name of a table is repeated`, () => {
  for (const [category, cases] of [...tables, ["odd-and-right", odd] as const]) {
    const names = cases.map(({ name }) => name);
    expect(
      names.filter((name, index) => names.indexOf(name) !== index),
      category,
    ).toEqual([]);
  }
  const requests = tables.flatMap(([, cases]) => cases.map(({ name: _, expect: __, ...one }) => JSON.stringify(one)));
  expect(requests.length).toBeGreaterThanOrEqual(FEWEST_CASES);
  expect(requests.filter((request, index) => requests.indexOf(request) !== index)).toEqual([]);
});

for (const [category, cases] of tables) {
  test(`${category}: ${cases.length} requests are rejected as the contract states, and leave no trace`, async ({
    stage,
  }) => {
    expect(await runBadInputs(stage.sender, category, cases, stage.scene.values)).toEqual([]);
    expect(await stage.traces()).toEqual(stage.tracesBefore);
  });
}

test(`${odd.length} requests that look wrong but are valid are accepted, and read as they were sent`, async ({
  stage,
}) => {
  expect(await runOddInputs(stage.service, stage.sender, odd, stage.scene)).toEqual([]);
});

test("after all of them the service has logged neither a fault nor a secret", async ({ stage }) => {
  const { service, scene } = stage;
  const faults = service.logs.split("\n").filter((line) => /"level":(50|60|"error"|"fatal")/.test(line));
  expect(faults).toEqual([]);
  for (const secret of ["secret_key", "live_secret_key", "stranger_secret_key"]) {
    expect(service.logs.includes(scene.values[secret] ?? "?"), secret).toBe(false);
  }
  expect(service.logs).not.toContain("0001234567890");
});
