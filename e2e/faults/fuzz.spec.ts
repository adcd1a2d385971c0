// A representative part of `npm run faults:fuzz`; and planted rows, which its judges must find.
import { paymentBody } from "../rest/bodies";
import { expect, test } from "../rest/parties";
import { createMerchant } from "../support/merchant";
import { playFuzz } from "./fuzz/play";
import { judgeRows, untouchedCounts } from "./fuzz/traces";

const REQUESTS = 4_000;
const SEED = 11;

test("requests made from the OpenAPI document get documented answers below 500, and leave rows only for a 201", async () => {
  test.setTimeout(300_000);
  const { requests, counts, codes, missing, violations } = await playFuzz({
    seed: SEED,
    requests: REQUESTS,
    minutes: 4,
    sequence: null,
  });
  expect(violations).toEqual([]);
  expect(missing).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(REQUESTS);
  const statuses = new Set([...counts.keys()].map((name) => name.split(" ")[1]));
  expect([...statuses]).toEqual(expect.arrayContaining(["200", "201", "400", "404", "409"]));
  const common = [
    "approval_required",
    "forbidden",
    "merchant_suspended",
    "not_found",
    "unauthorized",
    "validation_failed",
  ];
  expect([...codes.keys()]).toEqual(expect.arrayContaining(common));
});

test("a row without an answer 201, and an answer 201 without its row, are found", async ({
  ownMerchant,
  apiFor,
  database,
}) => {
  const { body } = await apiFor(ownMerchant.keys.test).post("/payment_intents", paymentBody());
  const { id } = body as { id: string };
  expect(await judgeRows(database, [ownMerchant.id], new Set([id]))).toEqual([]);
  expect(await judgeRows(database, [ownMerchant.id], new Set())).toEqual([
    `payment_intent ${id} exists, but no answer was 201`,
  ]);
  expect(await judgeRows(database, [ownMerchant.id], new Set([id, "dord_none"]))).toEqual([
    "dord_none was answered with 201, but does not exist",
  ]);
});

test("a row in a table that no operation writes is found", async ({ service, database }) => {
  const before = await untouchedCounts(database);
  await createMerchant(service);
  expect(await untouchedCounts(database)).not.toBe(before);
});
