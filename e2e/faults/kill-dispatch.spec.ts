// A worker killed while it dispatches a payout leaves a payout that is executed exactly once.
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { type Bridge, openBridge } from "../rest/bridge";
import { createPayout, untilStatus, walletOf } from "../rest/calls";
import { attemptsOf, eventsOf } from "../rest/database";
import { expect, test } from "../support/fixtures";
import { expectBooksBalance, killAndStartAgain } from "./survival";

let bridge: Bridge;

test.beforeAll(async () => {
  test.setTimeout(90_000);
  bridge = await openBridge({ env: { PROVIDER_DEADLINE_MS: "8000", IDEMPOTENCY_LEASE_SECONDS: "1" } });
});

test.afterAll(() => bridge.close());

for (const mode of ["execute_then_hang", "hang"] as const) {
  test(`killed while the worker dispatches a payout (${mode}): it completes after the restart, executed once`, async () => {
    test.slow();
    const before = await walletOf(bridge.live, "MXN");
    const { id } = await createPayout(bridge.live, { amount: "900", currency: "MXN", country: "MX" });
    const reference = await bridge.referenceOf(id);
    await bridge.psp.misbehave({ mode, kind: "payouts", operation: "create", reference, times: 1 });
    await bridge.approve(id);
    await expect.poll(() => attemptsOf(bridge.world.database, id), { timeout: 60_000 }).toBe(1);
    await expect
      .poll(
        async () => (await bridge.psp.calls()).filter(({ idempotency_key }) => idempotency_key === reference).length,
      )
      .toBe(1);
    await killAndStartAgain(bridge);
    // As if the dead worker's claim of 30 s had expired.
    await bridge.world.database.query(
      "UPDATE payout_intent SET due_at = now() WHERE id = $1 AND due_at IS NOT NULL",
      id,
    );
    const done = await untilStatus<PayoutIntentResource>(bridge.live, id, ["succeeded"], 60_000);
    expect(done.failure_code).toBeNull();
    expect(await bridge.executionsOf(id)).toBe(1);
    expect(await walletOf(bridge.live, "MXN")).toEqual({ available: before.available - 900n, held: before.held });
    expect(await eventsOf(bridge.world.database, id)).toHaveLength(1);
    await expectBooksBalance(bridge);
  });
}
