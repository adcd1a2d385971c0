// A refund of money in suspense takes two people, is decided once, and excludes every other decision about its money.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asMember } from "@/server/cli/acting-as";
import { query } from "@/server/db/client";
import { findException, listExceptionsOf } from "@/server/db/exceptions";
import { findRefund } from "@/server/db/suspense-refunds";
import type { CallContext } from "@/server/domain/scope";
import { requireInvariants } from "@/server/testing/invariants";
import {
  balanceOf,
  makeMember,
  makeMerchant,
  OPENING,
  payment,
  type TestMerchant,
  topup,
} from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { resolveException } from "../exceptions/decide";
import { settleException } from "../exceptions/settle";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { resumeMerchant, suspendMerchant } from "../suspension/suspend";
import { createTopupIntent } from "../topups/create";
import { confirmRefund, rejectRefund } from "./decide";
import { workOnDueRefunds } from "./due-refunds";
import { proposeRefund } from "./propose";

const FINANCE = "finance@shop.example";
const WHY = "Paid after the order had expired.";

let merchant: TestMerchant;
/** A member who may propose and not confirm, and one who may do both. */
let finance: CallContext;
let owner: CallContext;
beforeEach(async () => {
  merchant = await makeMerchant();
  finance = {
    ...merchant.byMember(),
    actor: { type: "member", id: await makeMember(merchant.merchantId, FINANCE, "finance") },
  };
  owner = merchant.byMember();
});
afterEach(async () => {
  await requireInvariants();
});

/** Late money of a payment; returns its exception. */
async function lateMoney(amount = "1050"): Promise<string> {
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount }), withoutIdempotency());
  if (intent.status === "requires_action") await simulate(merchant.context, intent.id, "expired");
  await simulate(merchant.context, intent.id, "succeeded");
  const [exception] = await listExceptionsOf(merchant.scope, { objectId: intent.id }, null, 1);
  return exception?.id ?? "";
}

const exceptionOf = (id: string) => findException(merchant.scope, id);

async function suspense(): Promise<string> {
  const [row] = await query<{ balance: string }>(
    "SELECT balance::text FROM ledger_account WHERE merchant_id = $1 AND environment = 'test' AND kind = 'suspense'",
    merchant.merchantId,
  );
  return row?.balance ?? "0";
}

/** The code of a refusal, or "done". */
const outcomeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === "fulfilled" ? "done" : (result.reason as { code?: string }).code;

it("proposed by one member and confirmed by another, it leaves suspense once the provider has settled it", async () => {
  const id = await lateMoney();
  const proposed = await proposeRefund(finance, id, WHY);
  expect(proposed).toMatchObject({
    state: "proposed",
    amount: 1050n,
    currency: "BRL",
    provider: "sandbox",
    ordinal: 1,
  });
  expect(await workOnDueRefunds(10)).toBe(0);
  expect(await confirmRefund(owner, proposed.id)).toMatchObject({ state: "confirmed", decidedBy: owner.actor.id });
  expect([await suspense(), (await exceptionOf(id))?.resolvedAt]).toEqual(["1050", null]);
  await workOnDueRefunds(10);
  expect(await exceptionOf(id)).toMatchObject({ settledAs: "refund", resolution: WHY, resolvedBy: { type: "worker" } });
  expect([await suspense(), await balanceOf(merchant)]).toEqual(["0", [OPENING, 0n]]);
  expect(await workOnDueRefunds(10)).toBe(0);
});

describe("two people", () => {
  it("its proposer cannot confirm it, nor may a member without the authority to approve payouts", async () => {
    const { id } = await proposeRefund(owner, await lateMoney(), WHY);
    await expect(confirmRefund(owner, id)).rejects.toMatchObject({ code: "approval_required" });
    await expect(confirmRefund(finance, id)).rejects.toMatchObject({ code: "forbidden" });
    await expect(confirmRefund(merchant.context, id)).rejects.toMatchObject({ code: "forbidden" });
    await expect(confirmRefund(await asMember(merchant.scope, FINANCE), id)).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  it("an operator and an API key propose none", async () => {
    const id = await lateMoney();
    for (const context of [merchant.context, await asMember(merchant.scope, FINANCE)]) {
      await expect(proposeRefund(context, id, WHY)).rejects.toMatchObject({ code: "forbidden" });
    }
  });

  it.each([
    ["disabled", "disabled_at = now()"],
    ["without the role", "roles = ARRAY['developer']"],
  ])("a proposal counts for nothing once its proposer is %s", async (_what, change) => {
    const { id } = await proposeRefund(finance, await lateMoney(), WHY);
    await query(`UPDATE member SET ${change} WHERE id = $1`, finance.actor.id);
    await expect(confirmRefund(owner, id)).rejects.toMatchObject({ code: "approval_required" });
    expect(await rejectRefund(owner, id)).toMatchObject({ state: "rejected" });
  });

  it("authority that is younger than the proposal does not count", async () => {
    const { id } = await proposeRefund(finance, await lateMoney(), WHY);
    await query("UPDATE member SET authority_test_from = now() + interval '1 hour' WHERE id = $1", owner.actor.id);
    await expect(confirmRefund(owner, id)).rejects.toMatchObject({ code: "approval_required" });
    expect(await confirmRefund(merchant.byMember(), id)).toMatchObject({ state: "confirmed" });
  });

  it("a proposal that was edited in the database cannot be confirmed", async () => {
    const { id } = await proposeRefund(finance, await lateMoney(), WHY);
    await tamper("suspense_refund", "UPDATE suspense_refund SET reason = 'Another.' WHERE id = $1", id);
    await expect(confirmRefund(owner, id)).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("a suspended merchant confirms none", async () => {
    const { id } = await proposeRefund(finance, await lateMoney(), WHY);
    await suspendMerchant(merchant.merchantId, "Fraud.");
    await expect(confirmRefund(owner, id)).rejects.toMatchObject({ code: "merchant_suspended" });
    await resumeMerchant(merchant.merchantId, "It was not.");
  });
});

describe("one decision about the money", () => {
  it("of confirmations at once, one counts, and one refund settles", async () => {
    const id = await lateMoney();
    const proposed = await proposeRefund(finance, id, WHY);
    const people = [merchant.byMember(), merchant.byMember(), merchant.byMember(), merchant.byMember()];
    const results = await Promise.allSettled(people.map((person) => confirmRefund(person, proposed.id)));
    expect(results.map(outcomeOf).sort()).toEqual(["done", ...Array<string>(3).fill("validation_failed")]);
    await workOnDueRefunds(10);
    expect(await suspense()).toBe("0");
  });

  it("of proposals at once, one is stored", async () => {
    const id = await lateMoney();
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => proposeRefund(merchant.byMember(), id, WHY)));
    expect(results.map(outcomeOf).sort()).toEqual(["done", ...Array<string>(3).fill("validation_failed")]);
  });

  it("of a proposal and a settlement by hand at once, one wins", async () => {
    for (let trial = 0; trial < 10; trial += 1) {
      const id = await lateMoney();
      const acts = [() => proposeRefund(finance, id, WHY), () => settleException(owner, id, "credit", "It is theirs.")];
      if (trial % 2) acts.reverse();
      const results = await Promise.allSettled(acts.map((act) => act()));
      expect(results.map(outcomeOf).sort()).toEqual(["done", "validation_failed"]);
    }
  });

  it("of a confirmation and a settlement by hand at once, the refund wins", async () => {
    for (let trial = 0; trial < 10; trial += 1) {
      const id = await lateMoney();
      const proposed = await proposeRefund(finance, id, WHY);
      const acts = [() => confirmRefund(owner, proposed.id), () => settleException(finance, id, "refund", "By hand.")];
      if (trial % 2) acts.reverse();
      const results = (await Promise.allSettled(acts.map((act) => act()))).map(outcomeOf);
      expect(trial % 2 ? results.reverse() : results).toEqual(["done", "validation_failed"]);
    }
  });

  it("of a rejection and a settlement by hand at once, the exception is settled after the rejection or not at all", async () => {
    for (let trial = 0; trial < 10; trial += 1) {
      const id = await lateMoney();
      const proposed = await proposeRefund(finance, id, WHY);
      const [rejected] = await Promise.allSettled([
        rejectRefund(owner, proposed.id),
        settleException(finance, id, "credit", "It is theirs."),
      ]);
      expect(outcomeOf(rejected)).toBe("done");
    }
  });

  it("while it is open, its exception is not resolved, and once it is settled, nothing refunds the money again", async () => {
    const id = await lateMoney();
    const proposed = await proposeRefund(finance, id, WHY);
    const refusal = { code: "validation_failed" };
    await expect(resolveException(owner, id, "Done.")).rejects.toMatchObject(refusal);
    await expect(settleException(owner, id, "credit", "Done.")).rejects.toMatchObject(refusal);
    await confirmRefund(owner, proposed.id);
    await expect(rejectRefund(owner, proposed.id)).rejects.toMatchObject(refusal);
    await expect(settleException(owner, id, "refund", "Done.")).rejects.toMatchObject(refusal);
    await workOnDueRefunds(10);
    await expect(proposeRefund(finance, id, WHY)).rejects.toMatchObject(refusal);
  });

  it("a rejected proposal leaves the money as it was; another one may follow", async () => {
    const id = await lateMoney();
    await rejectRefund(finance, (await proposeRefund(finance, id, WHY)).id);
    expect(await proposeRefund(finance, id, WHY)).toMatchObject({ ordinal: 2, state: "proposed" });
  });

  it("one that the provider refuses leaves the money in suspense, and people decide again", async () => {
    const id = await lateMoney("1101");
    await confirmRefund(owner, (await proposeRefund(finance, id, WHY)).id);
    await workOnDueRefunds(10);
    expect([await suspense(), (await exceptionOf(id))?.resolvedAt]).toEqual(["1101", null]);
    await settleException(owner, id, "credit", "It is theirs.");
    expect(await balanceOf(merchant)).toEqual([OPENING + 1101n, 0n]);
  });
});

it("one that the sandbox leaves pending stays on its way", async () => {
  const id = await lateMoney("1008");
  const refund = await confirmRefund(owner, (await proposeRefund(finance, id, WHY)).id);
  await workOnDueRefunds(10);
  expect(await findRefund(merchant.scope, refund.id)).toMatchObject({ state: "confirmed", endedAt: null });
  expect(await suspense()).toBe("1008");
});

describe("what can be refunded", () => {
  it("is a payment's money only, of the own merchant", async () => {
    const late = topup({ destination: { amount: "50007", currency: "BRL" } });
    const { intent } = await createTopupIntent(merchant.context, late, withoutIdempotency());
    await simulate(merchant.context, intent.id, "expired");
    const [exception] = await listExceptionsOf(merchant.scope, { objectId: intent.id }, null, 1);
    await expect(proposeRefund(finance, exception?.id ?? "", WHY)).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining("could send back") as string,
    });
    const stranger = (await makeMerchant()).byMember();
    const id = await lateMoney();
    await expect(proposeRefund(stranger, id, WHY)).rejects.toMatchObject({ code: "not_found" });
    const proposed = await proposeRefund(finance, id, WHY);
    await expect(confirmRefund(stranger, proposed.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(rejectRefund(stranger, proposed.id)).rejects.toMatchObject({ code: "not_found" });
  });

  it.each(["", "  ", "x".repeat(513)])("needs a reason: %j", async (reason) => {
    await expect(proposeRefund(finance, await lateMoney(), reason)).rejects.toMatchObject({
      code: "validation_failed",
    });
  });
});
