// Every invariant holds after real work, and each detects its violations.
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkThrough, type InvariantCheck } from "@/server/db/invariants/check";
import { INVARIANTS } from "@/server/db/invariants/list";
import { payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { approvePayoutIntent } from "../payouts/approve";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { simulate } from "../sandbox/simulate";
import { checkInvariants } from "./check";
import { PLANTS } from "./testing/plants";
import { postponePending } from "./testing/rest";
import { openUnguarded, type UnguardedDatabase } from "./testing/unguarded";
import { playVariedRun } from "./testing/varied-run";

const broken = (checked: readonly InvariantCheck[]) => checked.filter(({ rows }) => rows > 0);
const names = (checked: readonly Pick<InvariantCheck, "name">[]) => checked.map(({ name }) => name);

let merchant: TestMerchant;

it("in an empty database all invariants hold, and every check reports that it read nothing", async () => {
  const { checked, violations } = await checkInvariants();
  expect(violations).toBe(0);
  expect(names(checked)).toEqual(names(INVARIANTS));
  expect(checked.filter(({ populated }) => populated)).toEqual([]);
});

describe("after a varied run", () => {
  beforeAll(async () => {
    merchant = await playVariedRun();
  });

  it("all invariants hold, and every check read rows that could violate it", async () => {
    const { checked, violations } = await checkInvariants();
    expect(broken(checked)).toEqual([]);
    expect(violations).toBe(0);
    expect(names(checked.filter(({ populated }) => !populated))).toEqual([]);
  });

  it("all invariants hold at any time while work continues", async () => {
    const { context } = merchant;
    const work = async () => {
      const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
      await simulate(context, intent.id, "succeeded");
      const [first, second] = await Promise.all([
        createPayoutIntent(context, payout(), withoutIdempotency()),
        createPayoutIntent(context, payout(), withoutIdempotency()),
      ]);
      await cancelPayoutIntent(context, { id: first.intent.id, reason: null }, withoutIdempotency());
      await approvePayoutIntent(merchant.byMember(), { id: second.intent.id });
      await simulate(context, second.intent.id, "settled");
    };
    // Every check has the same amount of work beside it, however slow the machine is.
    for (let round = 0; round < 8; round += 1) {
      const working = Promise.all([work(), work(), work(), work()]);
      const checks = [await checkInvariants(), await checkInvariants()];
      await working;
      expect(checks.flatMap(({ checked }) => broken(checked))).toEqual([]);
    }
    expect((await checkInvariants()).violations).toBe(0);
  });

  it("the check waits for no row lock, and reads committed rows", async () => {
    const holder = new Client({ connectionString: process.env.DATABASE_URL });
    await holder.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("UPDATE ledger_account SET balance = balance + 5 WHERE kind = 'suspense'");
      await holder.query("SELECT FROM payment_intent FOR UPDATE");
      expect((await checkInvariants()).violations).toBe(0);
      await holder.query("ROLLBACK");
    } finally {
      await holder.end();
    }
  });

  describe("only the planted violation is reported:", () => {
    let unguarded: UnguardedDatabase;
    beforeAll(async () => {
      await postponePending();
      unguarded = await openUnguarded(process.env.DATABASE_URL);
    });
    afterAll(() => unguarded.close());

    it.each(PLANTS)("$what", async ({ breaks, sql }) => {
      const found = broken(await unguarded.planted(sql, checkThrough));
      expect(names(found).sort()).toEqual([...breaks].sort());
      for (const { rows, violations } of found) expect(violations).toHaveLength(Math.min(rows, 20));
    });

    it("every invariant has a plant of its own", () => {
      expect([...new Set(PLANTS.flatMap(({ breaks }) => breaks.slice(0, 1)))].sort()).toEqual(names(INVARIANTS).sort());
    });

    it("many rows are all counted and twenty are shown, with amounts as exact text", async () => {
      const huge = "9".repeat(38);
      const plant = `UPDATE ledger_account SET balance = ${huge} WHERE environment = 'live' AND kind = 'fees';
                     UPDATE ledger_account SET last_sequence = last_sequence + 1`;
      const found = broken(await unguarded.planted(plant, checkThrough));
      const numbering = found.find(({ name }) => name === "ledger_entries_numbered_without_gap");
      expect(numbering?.rows).toBeGreaterThan(20);
      expect(numbering?.violations).toHaveLength(20);
      const balance = found.find(({ name }) => name === "ledger_balance_is_sum_of_entries");
      expect(balance?.violations[0]).toMatchObject({
        kind: "fees",
        environment: "live",
        balance: huge,
        entries_sum: "0",
      });
    });

    it("all planted rows are removed", async () => {
      expect((await checkInvariants()).violations).toBe(0);
    });
  });
});
