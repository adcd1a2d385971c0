// GET /payment_intents/:id (interface §4.2), by status code.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import { createPayment, read, simulate } from "./calls";
import { describeMissingIntents } from "./missing-intents";
import { expect, test } from "./parties";

test.describe("200", () => {
  test("reading twice returns the same bytes while nothing changes", async ({ api }) => {
    const { id } = await createPayment(api);
    const [first, second] = [await api.get(`/payment_intents/${id}`), await api.get(`/payment_intents/${id}`)];
    expect(second.text).toBe(first.text);
  });

  test("a terminal intent shows its failure, no next action, and updated_at after created_at", async ({ api }) => {
    const { id } = await createPayment(api);
    await simulate(api, id, "declined");
    const intent = await read<PaymentIntentResource>(api, id);
    expect(intent).toMatchObject({ status: "failed", failure_code: "provider_declined", next_action: null });
    expect(intent.failure_message).not.toBeNull();
    expect(Date.parse(intent.updated_at)).toBeGreaterThanOrEqual(Date.parse(intent.created_at));
  });

  test("query parameters are ignored and named", async ({ api }) => {
    const { id } = await createPayment(api);
    const answer = await api.get(`/payment_intents/${id}?environment=live&expand[]=x`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ignored-parameters")).toBe("environment, expand%5B%5D");
  });
});

describeMissingIntents("/payment_intents", (api) => createPayment(api));
