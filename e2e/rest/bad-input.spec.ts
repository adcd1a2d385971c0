// Owns the promise about bad input: every request of the tables is refused exactly as the contract says, without a trace.
import { readFileSync } from "node:fs";
import { test as base, expect } from "@playwright/test";
import { type Service, startService } from "../support/service";
import { CATEGORIES, makeOddInputs, ODD_CATEGORY } from "./bad-input/categories";
import { runOddInputs } from "./bad-input/odd";
import { CONNECTIONS, runBadInputs } from "./bad-input/run";
import { type Scene, setScene } from "./bad-input/scene";
import { createSender, type Sender } from "./bad-input/send";
import { type BadInput, type OddInput, readTable, renderTable, tablePath } from "./bad-input/table";
import { merchantsOf, residentMiB, settledTracesOf, type Traces, tracesOf } from "./bad-input/traces";
import { openDatabase } from "./database";

const FEWEST_CASES = 1_500;
/** What the service may grow by over all tables. */
const MOST_GROWTH_MIB = 128;

interface Stage {
  readonly service: Service;
  readonly scene: Scene;
  readonly sender: Sender;
  readonly residentBefore: number;
  /** What there was before the first bad request. */
  readonly tracesBefore: Traces;
  readonly traces: () => Promise<Traces>;
}

const test = base.extend<object, { stage: Stage }>({
  stage: [
    async ({}, use) => {
      const service = await startService();
      const database = await openDatabase(service.dataDir);
      const others = await merchantsOf(database);
      const scene = await setScene(service);
      const sender = createSender(service.baseUrl, CONNECTIONS);
      const residentBefore = residentMiB(service.pid);
      const tracesBefore = await settledTracesOf(database, others);
      const traces = () => tracesOf(database, others);
      await use({ service, scene, sender, residentBefore, tracesBefore, traces });
      sender.close();
      await database.close();
      await service.dispose();
    },
    { scope: "worker", timeout: 400_000 },
  ],
});

const categories = Object.keys(CATEGORIES);
const tables = new Map(categories.map((category) => [category, readTable<BadInput>(category)]));

test("the tables are what their rules make", () => {
  for (const [category, make] of [...Object.entries(CATEGORIES), [ODD_CATEGORY, makeOddInputs] as const]) {
    expect(readFileSync(tablePath(category), "utf8"), category).toBe(renderTable(make()));
  }
});

test(`there are at least ${FEWEST_CASES} cases, and no request is there twice`, () => {
  const requests = [...tables.values()].flat().map(({ name: _, expect: __, ...request }) => JSON.stringify(request));
  expect(requests.length).toBeGreaterThanOrEqual(FEWEST_CASES);
  expect(requests.filter((request, index) => requests.indexOf(request) !== index)).toEqual([]);
});

for (const [category, cases] of tables) {
  test(`${category}: ${cases.length} requests are refused as the contract says, and leave no trace`, async ({
    stage,
  }) => {
    expect(await runBadInputs(stage.sender, category, cases, stage.scene.values)).toEqual([]);
    expect(await stage.traces()).toEqual(stage.tracesBefore);
  });
}

const odd = readTable<OddInput>(ODD_CATEGORY);

test(`${odd.length} requests that look wrong and are right are accepted, and read as they were sent`, async ({
  stage,
}) => {
  expect(await runOddInputs(stage.service, stage.sender, odd, stage.scene)).toEqual([]);
});

test("after all of them the service has not grown, and has logged neither a fault nor a secret", async ({ stage }) => {
  const { service, scene, residentBefore } = stage;
  const faults = service.logs.split("\n").filter((line) => /"level":(50|60|"error"|"fatal")/.test(line));
  expect(faults).toEqual([]);
  for (const secret of ["secret_key", "live_secret_key", "stranger_secret_key"]) {
    expect(service.logs.includes(scene.values[secret] ?? "?"), secret).toBe(false);
  }
  expect(service.logs).not.toContain("0001234567890");
  const growth = residentMiB(service.pid) - residentBefore;
  const count = [...tables.values()].flat().length;
  process.stdout.write(
    `${count} bad requests and ${odd.length} odd ones; the service grew by ${Math.round(growth)} MiB\n`,
  );
  expect(growth).toBeLessThan(MOST_GROWTH_MIB);
});
