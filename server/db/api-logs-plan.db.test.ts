// The requests about an object are found without reading the others, however many there are.
import { afterAll, expect, it } from "vitest";
import { makeMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { countStatement, listStatement } from "./api-logs";
import { disconnect } from "./client";
import { rowsReadBy } from "./testing/rows-read";

const REQUESTS = 30_000;
const ABOUT_IT = 40;

afterAll(disconnect);

it("a page reads what it shows: the requests about an object, or the newest ones", async () => {
  const { merchantId, scope } = await makeMerchant();
  await queryAsOwner(`
    SET session_replication_role = replica;
    INSERT INTO api_log (merchant_id, environment, id, api_key_id, method, route, path, status, duration_us, address,
                         object_id, created_at)
    SELECT '${merchantId}', 'test', 'req_' || lpad(n::text, 26, '0'), 'key_1', 'GET', '/x', '/v1/x', 200, 1, '',
           CASE WHEN n % 3 > 0 THEN 'dord_' || CASE WHEN n % ${REQUESTS / ABOUT_IT} = 1 THEN 'it' ELSE n::text END END, now()
    FROM generate_series(1, ${REQUESTS}) n;
    ANALYZE api_log`);
  const { sql, values } = listStatement(scope, { objectId: "dord_it", statusClass: 2 }, null, 25);
  const { read, written } = await rowsReadBy(sql, ...values);
  expect(written).toBe(26);
  expect(read).toBeLessThan(20 * ABOUT_IT);

  const lookedAt = 1_000;
  const all = listStatement(scope, {}, null, 25, lookedAt);
  expect((await rowsReadBy(all.sql, ...all.values)).read).toBeLessThan(lookedAt);

  const count = countStatement(scope, { method: "POST" }, lookedAt);
  // A scan, the limit above it, and the groups.
  expect((await rowsReadBy(count.sql, ...count.values)).read).toBeLessThan(6 * lookedAt);
});
