// Changes of endpoints beside records of attempts: no two of them ever wait for each other.
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { recordAttempt } from "@/server/db/webhooks/attempts";
import { type ClaimedDelivery, claimDueDeliveriesAcrossMerchants } from "@/server/db/webhooks/claims";
import type { WebhookEndpoint } from "@/server/domain/webhook-endpoint";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { advanceSandboxClock } from "../sandbox/clock";
import { reapDeliveries } from "./deliveries";
import { deleteWebhookEndpoint } from "./endpoints";
import { deliveriesOf, deliveryOf, makeEndpoint, makeEvent } from "./testing/deliveries";
import { updateWebhookEndpoint } from "./update-endpoint";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

const ENDPOINTS = 6;

let receiver: LocalServer;
let other: Client;
let merchant: TestMerchant;

beforeAll(async () => {
  receiver = await startLocalServer();
  receiver.respond = json(200, {});
});
beforeEach(async () => {
  merchant = await makeMerchant();
  // Another process: the locks of its transaction are taken one by one.
  other = new Client({ connectionString: process.env.DATABASE_URL });
  await other.connect();
  await other.query("BEGIN");
});
afterEach(async () => {
  await other.end();
  await query("UPDATE webhook_endpoint SET deleted_at = now() WHERE deleted_at IS NULL");
  await reapDeliveries();
  await requireInvariants();
});
afterAll(() => receiver.stop());

/**
 * Endpoints by id. Their places in the table and their slots are in the opposite order, as after deletions, so that a
 * statement that asks for no order finds them in that one.
 */
async function makeEndpoints(): Promise<WebhookEndpoint[]> {
  const make = async (name: string) => (await makeEndpoint(merchant, `${receiver.url}/${name}`)).endpoint;
  const earlier: WebhookEndpoint[] = [];
  for (let n = 1; n < ENDPOINTS; n += 1) earlier.push(await make(`earlier-${n}`));
  const made: WebhookEndpoint[] = [];
  for (let n = 1; n <= ENDPOINTS; n += 1) {
    made.push(await make(`${n}`));
    await query("UPDATE webhook_endpoint SET deleted_at = now() WHERE id = $1", earlier.pop()?.id ?? "");
  }
  for (const { id } of made.toReversed()) await query("UPDATE webhook_endpoint SET url = url WHERE id = $1", id);
  return made;
}

const lockEndpoint = ({ id }: WebhookEndpoint, orElse = "") =>
  other.query(`SELECT FROM webhook_endpoint WHERE id = $1 FOR NO KEY UPDATE ${orElse}`, [id]);

const isWaitedFor = async () => {
  const { rows } = await other.query<{ waiting: number }>(
    "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))",
  );
  return rows[0]?.waiting === 1;
};

/** What a report does first: it locks the delivery, and only then its endpoint. */
const lockDelivery = (eventId: string) =>
  other.query("UPDATE delivery SET attempts = attempts WHERE event_id = $1", [eventId]);

it("an endpoint is deleted while an attempt is recorded; the delivery is skipped by the next sweep", async () => {
  const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/deleted`);
  const [recorded, waiting] = [await makeEvent(merchant), await makeEvent(merchant)];
  await lockDelivery(recorded);
  await deleteWebhookEndpoint(merchant.context, endpoint.id, withoutIdempotency());
  await lockEndpoint(endpoint);
  await other.query("COMMIT");
  expect((await deliveryOf(merchant, waiting)).state).toBe("skipped");
  expect((await deliveryOf(merchant, recorded)).state).toBe("pending");
  await reapDeliveries();
  expect((await deliveryOf(merchant, recorded)).state).toBe("skipped");
});

it("a disabled endpoint is enabled while an attempt is recorded, which does not count as waiting", async () => {
  const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/enabled`);
  const [recorded, waiting] = [await makeEvent(merchant), await makeEvent(merchant)];
  await query(
    "UPDATE webhook_endpoint SET state = 'disabled', disabled_reason = 'gone', disabled_at = now() WHERE id = $1",
    endpoint.id,
  );
  await lockDelivery(recorded);
  const change = { id: endpoint.id, state: "enabled" } as const;
  const { intent } = await updateWebhookEndpoint(merchant.context, change, withoutIdempotency());
  await lockEndpoint(endpoint);
  await other.query("COMMIT");
  expect(intent.missed?.count).toBe(1);
  expect((await deliveryOf(merchant, waiting)).state).toBe("skipped");
  expect((await deliveryOf(merchant, recorded)).state).toBe("pending");
});

it("a disabled endpoint for which more waits than one statement skips is enabled, and gets none of it", async () => {
  const { endpoint } = await makeEndpoint(merchant, `${receiver.url}/enabled`);
  await query(
    "UPDATE webhook_endpoint SET state = 'disabled', disabled_reason = 'gone', disabled_at = now() WHERE id = $1",
    endpoint.id,
  );
  // Their events would take minutes to make; without triggers and keys, these need none.
  await other.query("SET session_replication_role = replica");
  await other.query(
    `INSERT INTO delivery (merchant_id, id, environment, endpoint_id, event_id, state, due_at, created_at)
     SELECT $1, 'dlv_' || n, 'test', $2, 'evt_' || n, 'pending', now(), now() FROM generate_series(1, 4100) n`,
    [merchant.merchantId, endpoint.id],
  );
  await other.query("COMMIT");
  await updateWebhookEndpoint(merchant.context, { id: endpoint.id, state: "enabled" }, withoutIdempotency());
  const states = "SELECT state, count(*)::int AS count FROM delivery WHERE endpoint_id = $1 GROUP BY 1";
  expect(await query(states, endpoint.id)).toEqual([{ state: "skipped", count: 4100 }]);
  await other.query("DELETE FROM delivery WHERE endpoint_id = $1", [endpoint.id]);
});

/** Reports a failed attempt; the endpoint must wait, so that its row changes. */
function reportFailure(delivery: ClaimedDelivery): Promise<boolean> {
  return recordAttempt({
    delivery,
    facts: {
      status: 429,
      durationMs: 1,
      requestHeaders: {},
      responseBody: "",
      error: null,
      detail: null,
      attemptedAt: new Date(),
    },
    next: { state: "pending", pauseMs: 60_000 },
    holdMs: 60_000,
  });
}

/**
 * The other process takes the first endpoint; once somebody waits for it, it takes all others. Fails if the one who waits
 * has taken one of them before: then each would wait for the other.
 */
async function takeOneByOne([first, ...others]: readonly WebhookEndpoint[], begin: () => Promise<unknown>) {
  await lockEndpoint(first as WebhookEndpoint);
  const begun = begin();
  await vi.waitUntil(isWaitedFor, 20_000);
  for (const endpoint of others) await lockEndpoint(endpoint, "NOWAIT");
  await other.query("COMMIT");
  return begun;
}

it("attempts at several endpoints are recorded while another process takes the endpoints in their order", async () => {
  const endpoints = await makeEndpoints();
  const eventId = await makeEvent(merchant);
  const claimed = await claimDueDeliveriesAcrossMerchants(
    { perEndpoint: {}, newEndpoint: 4, total: 4 * ENDPOINTS },
    600_000,
  );
  expect(claimed).toHaveLength(ENDPOINTS);
  // The first report is written alone; the others, meanwhile, together.
  const inOrder = claimed.toSorted((one, another) => (one.endpointId > another.endpointId ? -1 : 1));
  const taken = endpoints.slice(0, -1);
  expect(await takeOneByOne(taken, () => Promise.all(inOrder.map(reportFailure)))).toEqual(claimed.map(() => true));
  const deliveries = [...(await deliveriesOf(merchant, eventId)).values()];
  expect(deliveries.map(({ attemptCount }) => attemptCount)).toEqual(claimed.map(() => 1));
});

it("the test clock moves while another process takes the endpoints in their order", async () => {
  const endpoints = await makeEndpoints();
  const advance = () => advanceSandboxClock(merchant.context, 60, withoutIdempotency());
  expect(await takeOneByOne(endpoints, advance)).toBeTruthy();
});
