// Open work is read from what is open: neither ended intents nor those of other merchants cost anything, however many they are.
import { afterAll, beforeAll, expect, it } from "vitest";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { createTopupIntent } from "@/server/services/topups/create";
import { makeMerchant, payment, payout, type TestMerchant, topup } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { disconnect } from "./client";
import { listOpenWork, listOpenWorkAcrossMerchants, OPEN_WORK, OPEN_WORK_OF_ALL } from "./provider-work";
import { rowsReadBy } from "./testing/rows-read";

/** Enough that reading a table whole looks dearer to the planner than reading an index. */
const ENDED = 20_000;
const OPEN_OF_OTHERS = 1_500;
const OPEN = 30;
/** Counting stops here, in each of three tables. */
const COUNTED = 1_000;
/** The steps of the plan that each open row passes, at the most. */
const STEPS = 10;

const OPEN_STATUSES = {
  payment_intent: "requires_action",
  payout_intent: "processing",
  topup_intent: "requires_payment",
};

let mine: TestMerchant;
let theirs: TestMerchant;

/** Copies of one intent, in bare SQL without triggers and keys. */
const copies = (table: string, id: string, name: string, count: number, changes: string) => `
  INSERT INTO ${table}
  SELECT (jsonb_populate_record(p, jsonb_build_object(
    'id', left(p.id, 5) || '${name}' || lpad(n::text, 20, '0'),
    'dispatch_reference', null, 'approvals_required', 0,
    'merchant_reference', '${name}' || n, ${changes}))).*
  FROM ${table} p, generate_series(1, ${count}) n WHERE p.id = '${id}';`;

/** Thousands of rows, also on a slow machine. */
const FILLED_WITHIN_MS = 240_000;

async function fill(merchant: TestMerchant, open: number, ended: number): Promise<void> {
  const { context } = merchant;
  const made = {
    payment_intent: (await createPaymentIntent(context, payment(), withoutIdempotency())).intent,
    payout_intent: (await createPayoutIntent(context, payout(), withoutIdempotency())).intent,
    topup_intent: (await createTopupIntent(context, topup(), withoutIdempotency())).intent,
  };
  const scripts = Object.entries(made).map(([table, { id }]) => {
    const status = OPEN_STATUSES[table as keyof typeof OPEN_STATUSES];
    return [
      copies(table, id, "aaaaaa", open, `'status', '${status}', 'due_at', now() + n * interval '1 second'`),
      copies(
        table,
        id,
        "bbbbbb",
        ended,
        "'status', 'failed', 'due_at', null, 'next_action', null, 'failure_code', 'provider_declined'",
      ),
    ].join("\n");
  });
  await queryAsOwner(`SET session_replication_role = replica; ${scripts.join("\n")}`);
}

beforeAll(async () => {
  [mine, theirs] = [await makeMerchant(), await makeMerchant()];
  await fill(theirs, OPEN_OF_OTHERS, 0);
  await fill(mine, OPEN, ENDED);
  await queryAsOwner(`ANALYZE ${Object.keys(OPEN_STATUSES).join(", ")}`);
}, FILLED_WITHIN_MS);
afterAll(disconnect);

it("a merchant's is read from its own open intents", async () => {
  const { read } = await rowsReadBy(OPEN_WORK, mine.merchantId, "test");
  expect(read).toBeLessThan(STEPS * 3 * (OPEN + 1));
  const counted = await listOpenWork(mine.scope);
  for (const kind of ["payment", "topup"] as const) {
    expect(counted.find((one) => one.kind === kind)?.count).toBe(OPEN + 1);
  }
});

it("that of all merchants stops at a thousand of each kind", async () => {
  const { read } = await rowsReadBy(OPEN_WORK_OF_ALL);
  expect(read).toBeLessThan(STEPS * 3 * COUNTED);
  const counts = (await listOpenWorkAcrossMerchants()).map(({ count }) => count);
  expect(counts).toEqual([COUNTED, COUNTED, COUNTED]);
});
