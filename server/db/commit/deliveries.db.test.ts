import { afterEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { simulate } from "@/server/services/sandbox/simulate";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";

afterEach(requireInvariants);

interface Endpoint {
  readonly environment?: string;
  readonly eventTypes?: readonly string[];
  readonly state?: string;
  readonly isDeleted?: boolean;
}

/** An endpoint as a row: what the commit sees of it. */
async function endpointOf({ merchantId }: TestMerchant, slot: number, changes: Endpoint = {}): Promise<string> {
  const { environment = "test", eventTypes = null, state = "enabled", isDeleted = false } = changes;
  const id = newId("webhookEndpoint");
  await query(
    `INSERT INTO webhook_endpoint (merchant_id, id, environment, slot, url, description, event_types, state,
       disabled_reason, disabled_at, secret_sealed, subscribed_at, created_at, updated_at, deleted_at)
     VALUES ($1, $2, $3, $4, 'https://shop.example/hooks', '', $5::text[], $6, CASE $6 WHEN 'disabled' THEN 'gone' END,
       CASE $6 WHEN 'disabled' THEN now() END, 'k.s', now(), now(), now(), CASE WHEN $7 THEN now() END)`,
    merchantId,
    id,
    environment,
    slot,
    eventTypes,
    state,
    isDeleted,
  );
  return id;
}

async function endPayment({ context }: TestMerchant, outcome: string): Promise<string> {
  const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
  await simulate(context, intent.id, outcome);
  return intent.id;
}

const deliveriesOf = (intentId: string) =>
  query<{ id: string; endpoint_id: string; state: string; environment: string; is_due: boolean; body: string }>(
    `SELECT d.id, d.endpoint_id, d.state, d.environment, d.due_at <= now() AS is_due, v.body
     FROM delivery d JOIN event v ON v.merchant_id = d.merchant_id AND v.id = d.event_id
     WHERE v.intent_id = $1 ORDER BY d.id`,
    intentId,
  );

describe("the commit of an event", () => {
  it("makes one due delivery for each of ten endpoints, with ids of their own", async () => {
    const merchant = await makeMerchant();
    const endpoints = await Promise.all(Array.from({ length: 10 }, (_, n) => endpointOf(merchant, n + 1)));
    const rows = await deliveriesOf(await endPayment(merchant, "succeeded"));
    expect(rows.map(({ endpoint_id }) => endpoint_id).sort()).toEqual([...endpoints].sort());
    expect(new Set(rows.map(({ id }) => id)).size).toBe(10);
    for (const row of rows) {
      expect(row.id).toMatch(/^dlv_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/);
      expect(row).toMatchObject({ state: "pending", environment: "test", is_due: true });
    }
  });

  it("asks each endpoint's filter, environment and existence; a paused or disabled one has its deliveries wait", async () => {
    const merchant = await makeMerchant();
    const other = await makeMerchant();
    await endpointOf(other, 1);
    await endpointOf(merchant, 1, { environment: "live" });
    await endpointOf(merchant, 1, { isDeleted: true });
    await endpointOf(merchant, 1, { eventTypes: ["payment_intent.failed", "payout_intent.failed"] });
    const asked = [
      await endpointOf(merchant, 2, { eventTypes: ["payment_intent.succeeded"] }),
      await endpointOf(merchant, 3, { state: "paused" }),
      await endpointOf(merchant, 4, { state: "disabled" }),
    ];
    const rows = await deliveriesOf(await endPayment(merchant, "succeeded"));
    expect(rows.map(({ endpoint_id }) => endpoint_id).sort()).toEqual(asked.sort());
  });

  it("keeps the bytes that will be sent with the event, from the first moment", async () => {
    const merchant = await makeMerchant();
    await endpointOf(merchant, 1);
    const intentId = await endPayment(merchant, "declined");
    const [row] = await deliveriesOf(intentId);
    const [event] = await query<{ id: string; created_at: Date }>(
      "SELECT id, created_at FROM event WHERE intent_id = $1",
      intentId,
    );
    expect(JSON.parse(row?.body ?? "")).toMatchObject({
      id: event?.id,
      type: "payment_intent.failed",
      timestamp: event?.created_at.toISOString(),
      environment: "test",
      data: { payment_intent_id: intentId, status: "failed", failure_code: "provider_declined" },
    });
  });

  it("makes no delivery where nobody asks, nor before the intent has ended", async () => {
    const merchant = await makeMerchant();
    expect(await deliveriesOf(await endPayment(merchant, "succeeded"))).toEqual([]);
    await endpointOf(merchant, 1);
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    expect(await deliveriesOf(intent.id)).toEqual([]);
  });
});
