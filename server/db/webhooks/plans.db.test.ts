// Statements about what waits read little, even while the planner believes that the table of deliveries is nearly empty: so
// it is between the first deliveries of a new service and the next visit of autovacuum.
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  ATTEMPTS_COUNTED,
  HISTORY_DAYS,
  STRETCH_COUNTED,
  STRETCH_HOURS,
  WAITING_COUNTED,
} from "@/server/domain/endpoint-condition";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { disconnect } from "../client";
import { rowsReadBy } from "../testing/rows-read";
import { SKIP_ORPHANS } from "./attempts";
import { SKIP_WAITING } from "./endpoint-changes";
import { ACTIVITY } from "./health";
import { HISTORY } from "./health-history";

const DELETED = 200;
const DELIVERIES_EACH = 300;
/** Every tenth endpoint has deliveries that wait. */
const ONE_WAITS_IN = 10;

let merchant: TestMerchant;

/** Endpoints with their deliveries; without triggers and keys, these need no events. */
const fill = (first: number, last: number, each: number) => `
  INSERT INTO webhook_endpoint (merchant_id, id, environment, slot, url, description, state, secret_sealed, subscribed_at,
                                created_at, updated_at, deleted_at)
  SELECT '${merchant.merchantId}', 'we_' || n, 'test', 1, 'http://x', '', 'enabled', '', now(), now(), now(),
         CASE WHEN n > 0 THEN now() END
  FROM generate_series(${first}, ${last}) n;
  INSERT INTO delivery (merchant_id, id, environment, endpoint_id, event_id, state, attempts, due_at, ended_at, created_at)
  SELECT '${merchant.merchantId}', 'dlv_' || n || '_' || k, 'test', 'we_' || n, 'evt_' || n || '_' || k,
         CASE waits WHEN true THEN 'pending' ELSE 'delivered' END, 1, CASE WHEN waits THEN now() END,
         CASE WHEN NOT waits THEN now() END, now()
  FROM generate_series(${first}, ${last}) n, generate_series(1, ${each}) k, LATERAL (SELECT n % ${ONE_WAITS_IN} = 0 AS waits) AS w;`;

beforeAll(async () => {
  merchant = await makeMerchant();
  await queryAsOwner(`
    SET session_replication_role = replica;
    ${fill(0, 0, 1)}
    ANALYZE webhook_endpoint;
    ANALYZE delivery;
    ${fill(1, DELETED, DELIVERIES_EACH)}`);
});
afterAll(disconnect);

it("what waits for a deleted endpoint is skipped", async () => {
  const { read, written } = await rowsReadBy(SKIP_WAITING, merchant.merchantId, "we_10", new Date(), null);
  expect(written).toBe(DELIVERIES_EACH);
  expect(read).toBeLessThan(3 * DELETED * DELIVERIES_EACH);
});

it("what the deletion of endpoints left waiting is skipped", async () => {
  const count = 1_000;
  const { read, written } = await rowsReadBy(SKIP_ORPHANS, count);
  expect(written).toBe(count);
  expect(read).toBeLessThan(3 * DELETED * DELIVERIES_EACH);
});

const ATTEMPTS = 20_000;
/** Of those that wait, and as many delivered. */
const DELIVERIES = 20_000;

// With statistics: a table that is believed to be nearly empty holds little to read, or is analyzed within a minute.
it("the health of an endpoint is read from a bounded number of attempts and of what waits", async () => {
  const owner = `'${merchant.merchantId}'`;
  await queryAsOwner(`
    SET session_replication_role = replica;
    INSERT INTO delivery_attempt (merchant_id, delivery_id, ordinal, status, duration_ms, request_headers, response_body,
                                  attempted_at, endpoint_id)
    SELECT ${owner}, 'dlv_busy_' || n, 1, 200, n % 900, '{}', '', now() - n * interval '1 second', 'we_0'
    FROM generate_series(1, ${ATTEMPTS}) n;
    INSERT INTO delivery_attempt (merchant_id, delivery_id, ordinal, status, duration_ms, request_headers, response_body,
                                  attempted_at, endpoint_id)
    SELECT ${owner}, 'dlv_other_' || n, 1, 200, n % 900, '{}', '', now() - n * interval '30 seconds', 'we_' || 1 + n % 9
    FROM generate_series(1, ${ATTEMPTS}) n;
    INSERT INTO delivery (merchant_id, id, environment, endpoint_id, event_id, state, attempts, due_at, ended_at, created_at)
    SELECT ${owner}, 'dlv_we_0_' || n || waits, 'test', 'we_0', 'evt_we_0_' || n || waits,
           CASE WHEN waits THEN 'pending' ELSE 'delivered' END, 1, CASE WHEN waits THEN now() + n * interval '1 second' END,
           CASE WHEN NOT waits THEN now() END, now() - n * interval '1 second'
    FROM generate_series(1, ${DELIVERIES}) n, unnest(ARRAY[true, false]) waits;
    ANALYZE delivery;
    ANALYZE delivery_attempt`);
  const { read, written } = await rowsReadBy(ACTIVITY, merchant.merchantId, "test", "we_0");
  expect(written).toBe(1);
  // A scan, the limit above it, and the filter of what is in flight.
  expect(read).toBeLessThan(3 * (ATTEMPTS_COUNTED + WAITING_COUNTED) + 3 * DELETED);

  // As autovacuum leaves a table that is only appended to: the index alone has all that is read of an attempt.
  await queryAsOwner("VACUUM ANALYZE delivery_attempt");
  // These attempts lie within one or two stretches, and those of other endpoints within all of them.
  const stretches = (HISTORY_DAYS * 24) / STRETCH_HOURS + 1;
  const history = await rowsReadBy(HISTORY, merchant.merchantId, "test", "we_0");
  expect(history.written).toBe(stretches);
  // A scan, the merge of the partitions, the limit, and the filter above it.
  expect(history.read).toBeLessThan(5 * stretches * STRETCH_COUNTED + 3 * DELETED);
});
