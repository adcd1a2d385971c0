// Two known ways in which others have paid twice, against a provider that keeps its own record.
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { payoutBody, unused } from "../rest/bodies";
import { type Bridge, openBridge } from "../rest/bridge";
import { bodyOf, createPayout, read, untilStatus, walletOf } from "../rest/calls";
import { expect, test } from "../support/fixtures";

type Payout = PayoutIntentResource;

let bridge: Bridge;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  bridge = await openBridge({ env: { PROVIDER_DEADLINE_MS: "1500" } });
});

test.afterEach(() => bridge.psp.behave());

test.afterAll(() => bridge.close());

test("declined, refunded, retried with the same key: nothing is paid without a debit", async () => {
  const before = await walletOf(bridge.live, "BRL");
  const body = payoutBody({ amount: "7100" });
  const headers = { "idempotency-key": unused("disaster") };
  const first = await bridge.live.post("/payout_intents", body, { headers });
  const { id } = bodyOf<Payout>(first, 201);
  expect((await walletOf(bridge.live, "BRL")).held).toBe(before.held + 7_100n);
  await bridge.psp.misbehave({
    mode: "decline",
    kind: "payouts",
    operation: "create",
    reference: await bridge.referenceOf(id),
  });
  await bridge.approve(id);
  await untilStatus<Payout>(bridge.live, id, ["failed"]);
  await bridge.psp.behave();
  const withKey = await Promise.all(
    Array.from({ length: 10 }, () => bridge.live.post("/payout_intents", body, { headers })),
  );
  expect(withKey.map(({ status, text }) => [status, text])).toEqual(withKey.map(() => [201, first.text]));
  const withoutKey = await Promise.all(Array.from({ length: 10 }, () => bridge.live.post("/payout_intents", body)));
  for (const answer of withoutKey) expect(bodyOf<Payout>(answer, 200)).toMatchObject({ id, status: "failed" });
  await expect(bridge.approve(id)).rejects.toThrow("approval_required");
  // Any call started by the retries would reach the provider before a payout that is created after them.
  const next = await createPayout(bridge.live, { amount: "7200" });
  await bridge.approve(next.id);
  await untilStatus<Payout>(bridge.live, next.id, ["succeeded"]);
  expect([await bridge.sendsOf(id), await bridge.executionsOf(id)]).toEqual([1, 0]);
  expect(await walletOf(bridge.live, "BRL")).toEqual({ available: before.available - 7_200n, held: before.held });
  await bridge.world.cli("invariants");
});

test("unknown, then forgotten by the provider after its 24 hours: it is polled, never sent again", async () => {
  const before = await walletOf(bridge.live, "MXN");
  const { id } = await createPayout(bridge.live, { amount: "7300", currency: "MXN", country: "MX" });
  const reference = await bridge.referenceOf(id);
  const rule = { kind: "payouts", reference } as const;
  await bridge.psp.misbehave({ ...rule, mode: "execute_then_drop", operation: "create", times: 1 });
  await bridge.psp.misbehave({ ...rule, mode: "server_error", operation: "query" });
  await bridge.approve(id);
  const outcomes = () => bridge.world.database.query("SELECT outcome FROM provider_attempt WHERE intent_id = $1", id);
  await expect.poll(outcomes).toEqual([{ outcome: "unknown" }]);
  expect(await bridge.executionsOf(id)).toBe(1);
  const age = (hours: number) =>
    bridge.world.database.query(
      "UPDATE provider_attempt SET started_at = started_at - $2 * interval '1 hour' WHERE intent_id = $1",
      id,
      hours,
    );
  await age(25);
  await bridge.psp.misbehave({ ...rule, mode: "forget", first: true });
  const questions = async () => (await bridge.psp.calls()).filter(({ path }) => path.endsWith(reference)).length;
  const asked = await questions();
  await expect.poll(questions, { timeout: 60_000 }).toBeGreaterThan(asked + 1);
  const open = (await bridge.world.cli("exceptions", "list", "--merchant", bridge.merchant.id, "--open")) as {
    data: { kind: string; object_id: string }[];
  };
  expect(open.data).toContainEqual(expect.objectContaining({ kind: "stuck", object_id: id }));
  expect(await read(bridge.live, id)).toMatchObject({ status: "processing", failure_code: null });
  expect([await bridge.sendsOf(id), await bridge.executionsOf(id)]).toEqual([1, 1]);
  expect(await walletOf(bridge.live, "MXN")).toEqual({
    available: before.available - 7_300n,
    held: before.held + 7_300n,
  });
  await bridge.psp.behave();
  await untilStatus<Payout>(bridge.live, id, ["succeeded"]);
  expect(await bridge.executionsOf(id)).toBe(1);
  await age(-25);
  await bridge.world.cli("invariants");
});
