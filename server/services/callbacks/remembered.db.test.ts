// Review 15a: what a callback about a top-up told is remembered beside its application, not with it.
import { beforeEach, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { makeLiveMerchant, type TestMerchant } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { scriptedTopup } from "@/server/testing/topup";
import { settleException } from "../exceptions/settle";
import { applyDueCallbacks } from "./receive-callback";

const gate = vi.hoisted(() => ({
  afterLook: async () => undefined as unknown,
  beforeRemember: async () => undefined as unknown,
  beforeEvidence: async () => undefined as unknown,
}));
vi.mock("@/server/db/topup-callbacks", async (original) => {
  const real = await original<typeof import("@/server/db/topup-callbacks")>();
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
  const real = await original<typeof import("./record-evidence")>();
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
const due = () => query("UPDATE provider_callback SET due_at = now() WHERE result IS NULL");
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

it("F9a: a worker that stood still after its look applies the drop again, after the operator has restored the funds", async () => {
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

it("F9b: a worker that dies between applying and remembering", async () => {
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
  "F10: evidence that could not be stored at the first try (fails: %s) is stored at the next one",
  async (fails) => {
    const intent = await scriptedTopup(merchant, { policies: HOLD });
    const evidence = async () =>
      (
        await query<{ outcome: string }>(
          "SELECT outcome FROM provider_attempt WHERE intent_id = $1 ORDER BY ordinal",
          intent.id,
        )
      ).map(({ outcome }) => outcome);
    const before = await evidence();
    gate.beforeEvidence = async () => {
      gate.beforeEvidence = async () => undefined;
      if (fails) throw new Error("the connection is lost");
    };
    await sendCallback(intent, { callback_id: newId("event"), status: "funds_seen", ...money(1n), confirmed: false });
    await applyDueCallbacks(10, 30_000);
    const [row] = await query<{ result: string | null }>(
      "SELECT result FROM provider_callback ORDER BY received_at DESC LIMIT 1",
    );
    if (fails) expect(row?.result).toBe(null);
    await due();
    await applyDueCallbacks(10, 30_000);
    expect((await evidence()).length, JSON.stringify([before, await evidence()])).toBeGreaterThan(before.length);
  },
);

it.each(["recover", "absorb"] as const)(
  "F12: funds that come again after their loss was settled (%s) are booked, or ask a person",
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
