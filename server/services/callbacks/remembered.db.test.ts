// What a callback about a top-up told is remembered beside its application: whatever happens between the two, it counts once.
import { beforeEach, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import type * as topupCallbacks from "@/server/db/topup-callbacks";
import { newId } from "@/server/platform/ids";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { makeLiveMerchant, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { scriptedTopup } from "@/server/testing/topup";
import { settleException } from "../exceptions/settle";
import { applyDueCallbacks } from "./receive-callback";
import type * as evidence from "./record-evidence";

const gate = vi.hoisted(() => ({
  afterLook: async () => undefined as unknown,
  beforeRemember: async () => undefined as unknown,
  beforeEvidence: async () => undefined as unknown,
}));
vi.mock("@/server/db/topup-callbacks", async (original) => {
  const real = await original<typeof topupCallbacks>();
  return {
    ...real,
    isTopupCallbackApplied: async (...given: Parameters<typeof real.isTopupCallbackApplied>) => {
      const found = await real.isTopupCallbackApplied(...given);
      await gate.afterLook();
      return found;
    },
    rememberTopupCallback: async (...given: Parameters<typeof real.rememberTopupCallback>) => {
      await gate.beforeRemember();
      return real.rememberTopupCallback(...given);
    },
  };
});
vi.mock("./record-evidence", async (original) => {
  const real = await original<typeof evidence>();
  return {
    ...real,
    recordEvidence: async (...given: Parameters<typeof real.recordEvidence>) => {
      await gate.beforeEvidence();
      return real.recordEvidence(...given);
    },
  };
});

const HOLD = { overpayment: "hold", underpayment: "hold", latePayment: "hold" } as const;
let merchant: TestMerchant;
beforeEach(async () => {
  installScriptedProvider();
  acceptCallbacks();
  merchant = await makeLiveMerchant();
  gate.afterLook = gate.beforeRemember = gate.beforeEvidence = async () => undefined;
});

const money = (amount: bigint) => ({
  amount: amount.toString(),
  currency: "USDT",
  provider_reference: null,
  confirmed: true,
});
const due = () => query("UPDATE provider_callback SET due_at = now() - interval '1 second' WHERE result IS NULL");
const clearing = async () => {
  const [row] = await query<{ balance: string }>(
    `SELECT coalesce(sum(balance), 0)::text AS balance FROM ledger_account
     WHERE merchant_id = $1 AND kind = 'provider_clearing:scripted' AND currency = 'BRL'`,
    merchant.merchantId,
  );
  return BigInt(row?.balance ?? 0);
};
async function restore(id: string): Promise<void> {
  const [short] = await query<{ id: string }>(
    "SELECT id FROM exception WHERE object_id = $1 AND kind = 'funds_dropped' AND resolved_at IS NULL",
    id,
  );
  const member = merchant.byMember();
  const operator = { ...member, actor: { ...member.actor, statedAddress: "eva@shop.example" } };
  await settleException(operator, short?.id ?? "", "restore", "It came back.");
}

it("a worker that stood still does not apply a drop that another one has applied, and an operator has undone", async () => {
  const intent = await scriptedTopup(merchant, { policies: HOLD });
  await sendCallback(intent, { status: "funds_seen", ...money(intent.sourceAmount) });
  await applyDueCallbacks(10, 30_000);
  const full = await clearing();
  await sendCallback(intent, { callback_id: newId("event"), status: "funds_dropped", ...money(0n) });
  let goOn: (_: unknown) => void = () => undefined;
  let looked: (_: unknown) => void = () => undefined;
  const hasLooked = new Promise((resolve) => (looked = resolve));
  gate.afterLook = () => {
    gate.afterLook = async () => undefined;
    looked(null);
    return new Promise((resolve) => (goOn = resolve));
  };
  const paused = applyDueCallbacks(10, 30_000); // this process is paused
  await hasLooked;
  await due(); // its claim lapses
  await applyDueCallbacks(10, 30_000); // another worker applies it
  expect(await clearing()).toBe(0n);
  await restore(intent.id);
  expect(await clearing()).toBe(full);
  goOn(null);
  await paused;
  expect(await clearing()).toBe(full);
});

it("a worker that dies between applying and remembering does not let a drop be applied again", async () => {
  const intent = await scriptedTopup(merchant, { policies: HOLD });
  await sendCallback(intent, { status: "funds_seen", ...money(intent.sourceAmount) });
  await applyDueCallbacks(10, 30_000);
  const full = await clearing();
  await sendCallback(intent, { callback_id: newId("event"), status: "funds_dropped", ...money(0n) });
  gate.beforeRemember = async () => {
    gate.beforeRemember = async () => undefined;
    throw new Error("the connection is lost");
  };
  await applyDueCallbacks(10, 30_000);
  await restore(intent.id);
  await due();
  await applyDueCallbacks(10, 30_000);
  expect(await clearing()).toBe(full);
});

it.each([false, true])(
  "evidence that could not be stored at the first try (fails: %s) is stored at the next one",
  async (fails) => {
    const intent = await scriptedTopup(merchant, { policies: HOLD });
    const evidenceOf = async () =>
      (
        await query<{ outcome: string }>(
          "SELECT outcome FROM provider_attempt WHERE intent_id = $1 ORDER BY ordinal",
          intent.id,
        )
      ).map(({ outcome }) => outcome);
    const before = await evidenceOf();
    gate.beforeEvidence = async () => {
      gate.beforeEvidence = async () => undefined;
      if (fails) throw new Error("the connection is lost");
    };
    const report = { callback_id: newId("event"), status: "funds_seen", ...money(1n), confirmed: false };
    await sendCallback(intent, report);
    await applyDueCallbacks(10, 30_000);
    const [row] = await query<{ result: string | null }>(
      "SELECT result FROM provider_callback WHERE callback_id = $1",
      report.callback_id,
    );
    expect(row?.result === null).toBe(fails);
    await due();
    await applyDueCallbacks(10, 30_000);
    expect((await evidenceOf()).length, JSON.stringify([before, await evidenceOf()])).toBeGreaterThan(before.length);
  },
);

it.each(["recover", "absorb"] as const)(
  "funds that come again after their loss was settled (%s) are booked, or ask a person",
  async (as) => {
    const intent = await scriptedTopup(merchant, { policies: HOLD });
    await sendCallback(intent, { status: "funds_seen", ...money(intent.sourceAmount) });
    await applyDueCallbacks(10, 30_000);
    const full = await clearing();
    await sendCallback(intent, { status: "funds_dropped", ...money(0n) });
    await applyDueCallbacks(10, 30_000);
    const [short] = await query<{ id: string }>(
      "SELECT id FROM exception WHERE object_id = $1 AND kind = 'funds_dropped'",
      intent.id,
    );
    const member = merchant.byMember();
    const operator = { ...member, actor: { ...member.actor, statedAddress: "eva@shop.example" } };
    await settleException(operator, short?.id ?? "", as, "Gone for good.");
    expect(await clearing()).toBe(0n);
    // The chain has it again: the provider owes it to us.
    await sendCallback(intent, { status: "funds_seen", ...money(intent.sourceAmount) });
    await applyDueCallbacks(10, 30_000);
    const open = await query(
      "SELECT kind FROM exception WHERE merchant_id = $1 AND resolved_at IS NULL",
      merchant.merchantId,
    );
    expect([await clearing(), open.length]).not.toEqual([0n, 0]);
    expect(full).toBeLessThan(0n);
  },
);
