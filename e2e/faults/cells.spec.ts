// Merchants of two cells use one service of two web processes and two workers alike, know nothing of each other, and do not
// notice when the other's database or a process fails.
import type { APIRequestContext } from "@playwright/test";
import { verifyWebhook } from "@/client/src/webhooks";
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import { createMember, type Person, requestSession } from "../dashboard/members";
import { paymentBody, payoutBody, topupBody, unused } from "../rest/bodies";
import { bodyOf, createPayment, createPayout, createTopup, read, refusalOf, untilStatus } from "../rest/calls";
import type { Page } from "../rest/list-rules";
import { createEndpoint, endedPayment } from "../rest/webhook-calls";
import { type Answer, createApi, fetchValidator } from "../support/api";
import { expect, test } from "../support/fixtures";
import type { ApiKey } from "../support/merchant";
import { childrenOf } from "../support/postgres/children";
import { randomBelow } from "../support/random";
import { startReceiver } from "../support/receiver";
import { sizeOf, tier } from "../support/tier";
import { workersOf } from "../support/worker-processes";
import { runMover } from "./cells/mover";
import { AWAYS, CALLERS, playAway } from "./cells/outage";
import { type CellParty, type CellsWorld, openCellsWorld } from "./cells/world";
import { startLoad } from "./postgres/load";

const EVENTS = sizeOf({ representative: 4, deep: 100 });
const KILLS = sizeOf({ representative: 2, deep: 20 });
const WRITES_BETWEEN_KILLS = 6;
/** Journeys there and back. */
const MOVES = sizeOf({ representative: 1, deep: 8 });
const KILLS_OF_A_MOVE = sizeOf({ representative: 1, deep: 3 });
const KILLED_WITHIN_MS = 1_500;
const randomMs = randomBelow(20_261_126);
const WRITES_BETWEEN_MOVES = 6;
const PAUSED_AT_MOST_MS = 5_000;
/** The provider answers a payout after this time, so that calls are under way when a worker is killed. */
const SLOW_MS = 400;
const STARTS_WITHIN_MS = 60_000;
const POLL = { timeout: 120_000 };

let world: CellsWorld;
let pairs: readonly (readonly [own: CellParty, other: CellParty])[];
let people: Readonly<Record<string, Person>>;

test.describe.configure({ timeout: 400_000 });
test.beforeAll(async () => {
  test.setTimeout(400_000);
  world = await openCellsWorld();
  const { main, eu2 } = world;
  pairs = [
    [main, eu2],
    [eu2, main],
  ];
  const member = ({ merchant }: CellParty) => createMember(world.operated, merchant, "owner");
  people = { main: await member(main), eu2: await member(eu2) };
});
test.afterAll(() => world.close());

/** What a caller learns from a refusal. */
function learned(answer: Answer, status: number) {
  const { code, message } = refusalOf(answer, status);
  const headers = [...answer.headers].filter(([name]) => !["date", "request-id"].includes(name));
  return { code, message, headers };
}

const keyed = (key = unused("key")) => ({ headers: { "idempotency-key": key } });

test("workers killed during calls to the provider, and web processes killed during creations, do nothing twice", async () => {
  const { service, psp, main, eu2 } = world;
  const webs = () => {
    const workers = new Set(workersOf(service));
    return childrenOf(service.pid).filter((pid) => !workers.has(pid));
  };
  expect([workersOf(service).length, webs().length]).toEqual([2, 2]);
  await psp.misbehave({ mode: "delay", ms: SLOW_MS, kind: "payouts", operation: "create" });
  const parties = [main, eu2];
  const loads = parties.map((party) => startLoad(party, CALLERS));
  let worked = loads.map((load) => load.count());
  const bothWork = () =>
    expect
      .poll(() => loads.every((load, at) => load.count() >= (worked[at] ?? 0) + WRITES_BETWEEN_KILLS), POLL)
      .toBe(true);
  const underWay = async () => {
    const started = parties.map(({ database }) =>
      database.query(
        `SELECT FROM payout_intent i JOIN provider_attempt a ON (a.merchant_id, a.intent_id) = (i.merchant_id, i.id)
         WHERE i.status = 'processing' AND a.state = 'started' LIMIT 1`,
      ),
    );
    return (await Promise.all(started)).every((rows) => rows.length > 0);
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    await bothWork();
    await expect.poll(underWay, POLL).toBe(true);
    const [worker] = workersOf(service);
    const [web] = webs();
    for (const pid of [worker, web]) if (pid) process.kill(pid, "SIGKILL");
    worked = loads.map((load) => load.count());
  }
  await bothWork();
  await psp.behave();
  // While web processes start again, answers take as long as the machine needs for that.
  const allowed = { brokenConnections: true, keysInFlight: true, heldMs: STARTS_WITHIN_MS };
  const written = await Promise.all(loads.map((load) => load.stop()));
  const problems = await Promise.all(parties.map((party, at) => party.judge(written[at] ?? [], allowed)));
  expect(problems).toEqual([[], []]);
});

test("a merchant moves to the other cell and back under load, and its mover is killed: nothing is lost or done twice", async () => {
  const { main, eu2 } = world;
  const loads = [startLoad(main, CALLERS), startLoad(eu2, CALLERS)] as const;
  const [load] = loads;
  const works = () => {
    const before = load.count();
    return expect.poll(() => load.count() >= before + WRITES_BETWEEN_MOVES, POLL).toBe(true);
  };
  const pauses: number[] = [];
  for (let round = 0; round < MOVES; round += 1) {
    for (const to of ["eu2", "main"]) {
      await works();
      for (let kill = 0; kill < KILLS_OF_A_MOVE; kill += 1) await runMover(world, main, to, randomMs(KILLED_WITHIN_MS));
      const moved = await runMover(world, main, to);
      // A mover that was killed too late has done everything.
      if (moved) pauses.push(moved.paused_ms);
    }
  }
  await works();
  const [written, others] = await Promise.all(loads.map((one) => one.stop()));
  test.info().annotations.push({ type: "pauses of the merchant, in ms", description: pauses.join(", ") });
  expect(Math.max(...pauses)).toBeLessThan(PAUSED_AT_MOST_MS);
  const met = (others ?? []).flatMap(({ attempts }) => attempts).filter(({ status }) => status !== 201);
  expect(met, "what the other merchant met").toEqual([]);
  const allowed = { keysInFlight: true };
  const problems = await Promise.all([main.judge(written ?? [], allowed), eu2.judge(others ?? [])]);
  expect(problems).toEqual([[], []]);
});

const MEMBERS_PAGES = ["payments", "payouts", "wallet", "members"];

/** The dashboard of the member's cell, without a script: the statuses of pages, and of a procedure's call. */
async function statusesOfDashboard(request: APIRequestContext): Promise<number[]> {
  const input = encodeURIComponent(JSON.stringify({ environment: "live" }));
  const paths = [...MEMBERS_PAGES.map((name) => `/live/${name}`), `/api/trpc/paymentIntents.list?input=${input}`];
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await request.get(world.service.baseUrl + path)).status());
  return statuses;
}

const WAYS = Object.entries(AWAYS).filter(([name]) => tier === "deep" || name === "is killed with its postmaster");

for (const [name, goAway] of WAYS) {
  for (const absentCell of ["eu2", "main"] as const) {
    test(`while the database of ${absentCell} ${name}, the other cell's merchant notices nothing`, async ({
      playwright,
    }) => {
      const absent = world[absentCell];
      const other = world[absentCell === "eu2" ? "main" : "eu2"];
      const visit = async ({ cell }: CellParty) => {
        const request = await playwright.request.newContext({ baseURL: world.service.baseUrl });
        const person = people[cell];
        // A cell that takes a second to answer, as on a busy machine, counts as away: nobody signs in meanwhile.
        if (person) await expect.poll(async () => (await requestSession(request, person)).ok(), POLL).toBe(true);
        return request;
      };
      const [theirs, ours] = [await visit(absent), await visit(other)];
      // A process that shows a page for the first time loads its code, which on a busy machine takes the time of requests.
      for (const request of [theirs, ours, theirs, ours])
        expect(new Set(await statusesOfDashboard(request)), "both dashboards, before").toEqual(new Set([200]));
      const whileAway = async () => {
        expect(new Set(await statusesOfDashboard(ours)), "the other cell's dashboard").toEqual(new Set([200]));
        expect(new Set(await statusesOfDashboard(theirs)), "the absent cell's").toEqual(new Set([503]));
      };
      await playAway(world, { absent, other, goAway, whileAway });
      expect(new Set(await statusesOfDashboard(theirs)), "the absent cell's, after its return").toEqual(new Set([200]));
      await Promise.all([theirs.dispose(), ours.dispose()]);
    });
  }
}

// These leave payouts behind that never end, so they are last.

test("a merchant of each cell creates, reads, pages, cancels and is paid out, at the same time", async () => {
  const use = async ({ live, approve, cell, database }: CellParty) => {
    const key = keyed();
    const body = paymentBody();
    const first = await live.post("/payment_intents", body, key);
    const { id } = bodyOf<PaymentIntentResource>(first, 201);
    const again = await live.post("/payment_intents", body, key);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([201, first.text, "true"]);
    expect((await read<PaymentIntentResource>(live, id)).id).toBe(id);
    await createTopup(live);

    const cancelled = await createPayout(live, { amount: "100" });
    bodyOf(await live.post(`/payout_intents/${cancelled.id}/cancel`, {}), 202);
    await untilStatus(live, cancelled.id, ["cancelled"]);
    const paid = await createPayout(live, { amount: "100" });
    await approve(paid.id);
    await untilStatus(live, paid.id, ["succeeded"]);

    for (let n = 0; n < 4; n += 1) await createPayment(live);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const more: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Page = bodyOf<Page>(await live.get(`/payment_intents?limit=2${more}`), 200);
      seen.push(...page.data.map((one) => one.id));
      cursor = page.next_cursor;
    }
    const rows = await database.query<{ id: string }>(
      "SELECT id FROM payment_intent ORDER BY created_at DESC, id DESC",
    );
    expect([cell, seen]).toEqual([cell, rows.map((row) => row.id)]);
  };
  await Promise.all([use(world.main), use(world.eu2)]);
});

test("another cell's ids are unknown ids, and its cursors show nothing", async () => {
  for (const [own, other] of pairs) {
    const payment = await createPayment(other.live);
    const payout = await createPayout(other.live, { amount: "100" });
    // Another time, which nothing was created at.
    const never = (id: string) => `${id.slice(0, 5)}01h4${id.slice(9)}`;
    const compare = async (call: (id: string) => Promise<Answer>, id: string) =>
      expect(learned(await call(id), 404)).toEqual(learned(await call(never(id)), 404));
    await compare((id) => own.live.get(`/payment_intents/${id}`), payment.id);
    await compare((id) => own.live.get(`/payout_intents/${id}`), payout.id);
    await compare((id) => own.live.post(`/payout_intents/${id}/cancel`, {}, keyed()), payout.id);
    expect((await read(other.live, payout.id)).status).toBe("requires_approval");

    await createPayment(other.live);
    const theirs = bodyOf<Page>(await other.live.get("/payment_intents?limit=1"), 200);
    const cursor = encodeURIComponent(theirs.next_cursor ?? "");
    const foreign = await own.live.get(`/payment_intents?limit=100&cursor=${cursor}`);
    if (foreign.status === 400) refusalOf(foreign, 400);
    else {
      const ids = bodyOf<Page>(foreign, 200).data.map(({ id }) => id);
      const known = await own.database.query<{ id: string }>("SELECT id FROM payment_intent WHERE id = ANY($1)", ids);
      expect(known).toHaveLength(ids.length);
    }
  }
});

test("a key with another cell's tag is an unknown key", async () => {
  const validate = await fetchValidator(world.service.baseUrl);
  const ask = async (key: ApiKey) =>
    learned(await createApi(world.service.baseUrl, key, validate).get("/wallets"), 401);
  const ofMain = world.main.merchant.keys.live;
  const ofEu2 = world.eu2.merchant.keys.live;
  expect(ofEu2.publicKey).toMatch(/^pk_live_e2_/);
  const unknown = await ask({ ...ofMain, publicKey: `pk_live_${"0".repeat(24)}` });
  const forged: readonly ApiKey[] = [
    { ...ofEu2, publicKey: ofEu2.publicKey.replace("_e2_", "_") },
    { ...ofEu2, publicKey: ofEu2.publicKey.replace("_e2_", "_zz_") },
    { ...ofEu2, publicKey: ofEu2.publicKey.replace("_e2_", "_E2_") },
    { ...ofMain, publicKey: ofMain.publicKey.replace(/^pk_live_.../, "pk_live_e2_") },
    { publicKey: ofEu2.publicKey, secretKey: ofMain.secretKey },
  ];
  for (const key of forged) expect([key.publicKey, await ask(key)]).toEqual([key.publicKey, unknown]);
});

test("the same Idempotency-Key and reference in both cells are two", async () => {
  for (const [path, body] of [
    ["/payment_intents", paymentBody()],
    ["/payout_intents", payoutBody({ amount: "100" })],
    ["/topup_intents", topupBody()],
  ] as const) {
    const key = keyed();
    const sendBoth = () => Promise.all([world.main, world.eu2].map(({ live }) => live.post(path, body, key)));
    const made = await sendBoth();
    expect(new Set(made.map((answer) => bodyOf<{ id: string }>(answer, 201).id)).size).toBe(2);
    expect((await sendBoth()).map(({ text }) => text)).toEqual(made.map(({ text }) => text));
  }
});

test("the events of both cells are delivered once each, signed with the merchant's own secret", async () => {
  const deliver = async ({ test: api, database }: CellParty) => {
    const receiver = await startReceiver();
    const { id: endpointId, secret } = await createEndpoint(api, receiver.url);
    const made = await Promise.all(Array.from({ length: EVENTS }, () => endedPayment(api)));
    const delivered = async () => {
      const rows = await database.query<{ id: string }>(
        "SELECT event_id AS id FROM delivery WHERE endpoint_id = $1 AND state = 'delivered' ORDER BY event_id",
        endpointId,
      );
      return rows.map(({ id }) => id);
    };
    await expect.poll(async () => (await delivered()).length, POLL).toBe(EVENTS);
    await receiver.stop();
    const wanted = made.map(({ id }) => id).sort();
    expect((await delivered()).sort()).toEqual(wanted);
    expect(receiver.received.map(({ headers }) => headers["webhook-id"] ?? "").sort()).toEqual(wanted);
    const events = receiver.received.map(({ headers, body }) => verifyWebhook(secret, headers, body));
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["payment_intent.succeeded"]));
    return { secret, received: receiver.received };
  };
  const [ofMain, ofEu2] = await Promise.all([deliver(world.main), deliver(world.eu2)]);
  for (const { headers, body } of ofMain.received)
    expect(() => verifyWebhook(ofEu2.secret, headers, body)).toThrow("no signature is of this secret");
});
