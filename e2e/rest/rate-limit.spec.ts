// Rate limits: per API key, announced by headers, before anything is read or done.
import type { Api } from "../support/api";
import { expect, test } from "../support/fixtures";
import type { ApiKey, Merchant } from "../support/merchant";
import { startService } from "../support/service";
import { paymentBody, unused } from "./bodies";
import { refusalOf } from "./calls";
import { openWorld, type World } from "./world";

const PER_SECOND = 2;
const BURST = 20;

let world: World;
/** New in each test, so that its keys have their whole burst. */
let merchant: Merchant;

test.beforeAll(async () => {
  test.setTimeout(90_000);
  const env = { RATE_LIMIT_PER_SECOND: String(PER_SECOND), RATE_LIMIT_BURST: String(BURST) };
  world = await openWorld(await startService({ env }));
});

test.beforeEach(async () => {
  merchant = await world.newMerchant();
});

test.afterAll(() => world.close());

const clientOf = (key: ApiKey): Api => world.apiFor(key);

/** Sends twice the burst at once; returns the answers, of which at least the burst was served. */
async function flood(api: Api, path: string) {
  const answers = await Promise.all(Array.from({ length: BURST * 2 }, () => api.get(path)));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(BURST);
  return answers.filter(({ status }) => status !== 200);
}

test("beyond the burst a key gets 429 and the time to retry", async () => {
  const refused = await flood(clientOf(merchant.keys.test), "/wallets");
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expect(refusalOf(answer, 429).code).toBe("rate_limited");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(answer.headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/);
    expect(answer.headers.get("ratelimit-policy")).toBe(`"default";q=${BURST};w=${BURST / PER_SECOND}`);
  }
});

test("a rejected write did nothing and stored nothing: its key and reference are unused", async () => {
  const api = clientOf(merchant.keys.test);
  const create = { body: paymentBody(), options: { headers: { "idempotency-key": unused("key") } } };
  const answers = await Promise.all([
    flood(api, "/wallets"),
    ...Array.from({ length: BURST }, () => api.post("/payment_intents", { amount: 7 }, create.options)),
  ]);
  expect(answers.slice(1).some((answer) => "status" in answer && answer.status === 429)).toBe(true);
  await expect
    .poll(async () => (await api.post("/payment_intents", create.body, create.options)).status, { intervals: [500] })
    .toBe(201);
});

test("one key's excess does not affect the merchant's other keys", async () => {
  await flood(clientOf(merchant.keys.test), "/wallets");
  expect((await clientOf(merchant.keys.live).get("/wallets")).status).toBe(200);
});

test("the public catalogue is limited too, by address", async () => {
  const refused = await flood(world.apiFor(null), "/webhook_events");
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expect(answer.headers.get("retry-after")).not.toBeNull();
});

test("a caller with a wrong secret is rate limited, and cannot use up the key's tokens", async () => {
  const { publicKey, secretKey } = merchant.keys.live;
  const stranger = clientOf({ publicKey, secretKey: secretKey.split("").reverse().join("") });
  const answers = await Promise.all(Array.from({ length: BURST * 3 }, () => stranger.get("/wallets")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  expect((await clientOf(merchant.keys.live).get("/wallets")).status).toBe(200);
});

test("unknown keys are rate limited by address, and slow no key in use", async () => {
  const inUse = clientOf(merchant.keys.live);
  // The limit of this address may be spent by the test before.
  await expect.poll(async () => (await inUse.get("/wallets")).status, { intervals: [500] }).toBe(200);
  const unknown = () => {
    const publicKey = `pk_test_${unused("").replaceAll("-", "").slice(0, 24)}`;
    return clientOf({ ...merchant.keys.test, publicKey });
  };
  const answers = await Promise.all(Array.from({ length: BURST * 3 }, () => unknown().get("/wallets")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  expect((await inUse.get("/wallets")).status).toBe(200);
});
