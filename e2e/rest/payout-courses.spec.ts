// Payouts beyond the gate (interface §3): approval by a person, dispatch, settlement, failure.
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { cancelPayout, createPayout, read, refusalOf, simulate, untilStatus, walletOf } from "./calls";
import { attemptsOf, bookingsOf, eventsOf, openDatabaseOf } from "./database";
import { expect, test } from "./parties";

type Payout = PayoutIntentResource;

/** True if a person's decision was accepted, false if it was rejected. */
const VERDICTS = [() => true, () => false] as const;

test("the worker dispatches an approved payout once, and it settles; its hold is captured", async ({
  api,
  approve,
  database,
}) => {
  const before = await walletOf(api, "BRL");
  const { id } = await createPayout(api, { amount: "3000" });
  await approve(id);
  const settled = await untilStatus<Payout>(api, id, ["succeeded"]);
  expect(settled).toMatchObject({ failure_code: null, failure_message: null });
  expect(await walletOf(api, "BRL")).toEqual({ ...before, available: before.available - 3000n });
  expect(await attemptsOf(database, id)).toBe(1);
  expect(await eventsOf(database, id)).toEqual([
    {
      type: "payout_intent.succeeded",
      environment: "test",
      status: "succeeded",
      failure_code: null,
      failure_message: null,
    },
  ]);
  expect(await bookingsOf(database, id)).toEqual([
    "payout_hold available -3000 BRL",
    "payout_hold held 3000 BRL",
    "payout_settlement held -3000 BRL",
    "payout_settlement provider_clearing:sandbox 3000 BRL",
  ]);
  expect(refusalOf(await api.post(`/payout_intents/${id}/cancel`, {}), 422).message).toContain("succeeded");
});

for (const [ending, amount, outcome] of [
  ["01", "3001", "declined by the provider"],
  ["05", "3005", "out of time at the provider"],
] as const) {
  test(`${ending}: ${outcome}, an approved payout fails and its hold is released`, async ({
    api,
    approve,
    database,
  }) => {
    const before = await walletOf(api, "BRL");
    const { id } = await createPayout(api, { amount });
    await approve(id);
    const failed = await untilStatus<Payout>(api, id, ["failed"]);
    expect(failed.failure_code).toBe("provider_declined");
    expect(await walletOf(api, "BRL")).toEqual(before);
    expect(await eventsOf(database, id)).toMatchObject([
      { type: "payout_intent.failed", failure_code: "provider_declined", failure_message: failed.failure_message },
    ]);
    expect((await bookingsOf(database, id)).slice(2)).toEqual([
      `payout_release held -${amount} BRL`,
      `payout_release available ${amount} BRL`,
    ]);
  });
}

test("04: a payout whose dispatch is never answered stays held until the provider is polled; it is sent once", async ({
  api,
  approve,
  database,
}) => {
  const { held } = await walletOf(api, "BRL");
  const { id } = await createPayout(api, { amount: "3004" });
  await approve(id);
  await expect.poll(() => attemptsOf(database, id)).toBe(1);
  expect(await read(api, id)).toMatchObject({ status: "processing" });
  expect((await walletOf(api, "BRL")).held).toBe(held + 3004n);
  await untilStatus<Payout>(api, id, ["succeeded"], 60_000);
  expect(await attemptsOf(database, id)).toBe(1);
});

test("an approved payout can no longer be cancelled; the message names its status", async ({ api, approve }) => {
  const { id } = await createPayout(api, { amount: "3004", currency: "MXN", country: "MX" });
  await approve(id);
  const refusal = refusalOf(await api.post(`/payout_intents/${id}/cancel`, { reason: "late" }), 422);
  expect(refusal.code).toBe("approval_required");
  expect(refusal.message).toMatch(/processing|succeeded/);
  expect(await read(api, id)).not.toMatchObject({ status: "cancelled" });
});

test("an invalid recipient fails the payout with that code", async ({ ownMerchant, api, approve, command }) => {
  // The sandbox settles a payout two seconds after its creation, unless it is never sent.
  await command("dispatch", "pause", "--merchant", ownMerchant.id, "--reason", "The simulator goes first.");
  const { id } = await createPayout(api, { amount: "3000", currency: "MXN", country: "MX" });
  await approve(id);
  const failed = await simulate<Payout>(api, id, "invalid_recipient");
  expect(failed).toMatchObject({ status: "failed", failure_code: "invalid_recipient" });
});

test("a cancelled payout cannot be approved, and is sent to no provider", async ({ api, approve, database }) => {
  const { id } = await createPayout(api);
  await cancelPayout(api, id, "no longer needed");
  await expect(approve(id)).rejects.toThrow(/approval_required/);
  expect(await read(api, id)).toMatchObject({ status: "cancelled" });
  expect(await attemptsOf(database, id)).toBe(0);
});

for (const first of ["the approval", "the cancellation"] as const) {
  test(`approving and cancelling at once, ${first} a moment earlier: exactly one wins`, async ({
    api,
    approve,
    service,
    database,
  }) => {
    const { id } = await createPayout(api, { amount: "3004", currency: "MXN", country: "MX" });
    const gate = await openDatabaseOf(service);
    const waiting = async () => {
      const sql = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%UPDATE payout_intent%'";
      return (await database.query(sql)).length;
    };
    const approval = () => approve(id).then(...VERDICTS);
    // The service waits a few seconds for a lock and then answers 503; a client retries.
    const cancellation = async (): Promise<boolean> => {
      const { status } = await api.post(`/payout_intents/${id}/cancel`, {});
      return status === 503 ? cancellation() : status === 202;
    };
    await gate.query("BEGIN");
    await gate.query("SELECT FROM payout_intent WHERE id = $1 FOR UPDATE", id);
    const [one, other] = first === "the approval" ? [approval, cancellation] : [cancellation, approval];
    const oneWon = one();
    await expect.poll(waiting, { intervals: [20], timeout: 60_000 }).toBe(1);
    const otherWon = other();
    await expect.poll(waiting, { intervals: [20], timeout: 60_000 }).toBe(2);
    await gate.query("COMMIT");
    await gate.close();
    const [firstWon, secondWon] = await Promise.all([oneWon, otherWon]);
    expect(firstWon).not.toBe(secondWon);
    const cancelled = first === "the approval" ? secondWon : firstWon;
    const { status } = await read(api, id);
    expect(cancelled ? ["cancelled"] : ["processing", "succeeded"]).toContain(status);
    expect(await attemptsOf(database, id)).toBeLessThan(cancelled ? 1 : 2);
  });
}

test("a payout that nobody approves lapses to cancelled, and its hold is released", async ({ api, database }) => {
  const before = await walletOf(api, "BRL");
  const { id } = await createPayout(api, { amount: "3000" });
  await database.query("UPDATE payout_intent SET due_at = now() WHERE id = $1", id);
  const lapsed = await untilStatus<Payout>(api, id, ["cancelled"]);
  expect(lapsed.failure_code).toBe("cancelled");
  expect(lapsed.failure_message).toContain("7 days");
  expect(await walletOf(api, "BRL")).toEqual(before);
  expect(await eventsOf(database, id)).toMatchObject([{ type: "payout_intent.cancelled", failure_code: "cancelled" }]);
});
