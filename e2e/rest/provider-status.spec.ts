// `providers status` beside a running service: open breakers come from its metrics, the rest from its database.
import { cliWith } from "../support/cli";
import { expect, test } from "../support/fixtures";
import { startService } from "../support/service";
import { createPayment } from "./calls";
import { openWorld, type World } from "./world";

/** Nothing listens there. */
const DEAD = { name: "dead", url: "http://127.0.0.1:9", secret: "s".repeat(32), payment_methods: ["BR_PIX"] };
const ENV = { PROVIDERS: JSON.stringify([DEAD]), METRICS_TOKEN: "0123456789abcdef0123456789abcdef" };

let world: World;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  world = await openWorld(await startService({ env: ENV }));
});

test.afterAll(() => world.close());

interface Status {
  readonly breakers_unknown_because: string | null;
  readonly data: readonly {
    readonly name: string;
    readonly open_breakers: readonly string[] | null;
    readonly calls: readonly { readonly count: number; readonly without_answer: number }[];
  }[];
}

test("a dead provider has an open breaker and calls without an answer; the sandbox has neither", async () => {
  test.setTimeout(300_000);
  const { service } = world;
  const { live } = await world.liveParty("BRL");
  const variables = { ...ENV, DATA_DIR: service.dataDir };
  const status = () => cliWith<Status>(variables, "providers", "status", "--service", service.baseUrl);
  const find = ({ data }: Status, name: string) => data.find((provider) => provider.name === name);
  // A breaker allows a trial after a pause that each failed trial doubles: soon it lasts longer than the command takes.
  const read = async () => {
    for (let n = 0; n < 6; n += 1) await createPayment(live);
    return find(await status(), "dead")?.open_breakers;
  };
  await expect.poll(read, { timeout: 240_000 }).toEqual(["BR_PIX"]);
  const found = await status();
  expect(found.breakers_unknown_because).toBeNull();
  const [calls] = find(found, "dead")?.calls ?? [];
  expect(calls?.count).toBeGreaterThan(0);
  expect(calls?.without_answer).toBe(calls?.count);
  // Those of the demo merchant.
  expect(find(found, "sandbox")).toMatchObject({ open_breakers: [], calls: [{ without_answer: 0 }] });
  const other = { ...variables, METRICS_TOKEN: "f".repeat(32) };
  const refused = await cliWith<Status>(other, "providers", "status", "--service", service.baseUrl);
  expect(refused.breakers_unknown_because).toBe(`${service.baseUrl}/metrics answered with status 401`);
});
