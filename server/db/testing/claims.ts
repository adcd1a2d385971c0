// Whether a worker takes an intent up, for tests.
import { queryAcrossMerchants } from "../client";
import { claimStatement } from "../intents/claim";

/** Claims due payments for a moment; true if this one was among them. */
export async function claimDueIntent(id: string): Promise<boolean> {
  await queryAcrossMerchants("UPDATE payment_intent SET due_at = now() - interval '1 second' WHERE id = $1", id);
  const claim = claimStatement("payment_intent", "id", { awaitsPayers: true });
  const claimed = await queryAcrossMerchants<{ id: string }>(claim, 1_000, 1_000, "{}", 1_000);
  return claimed.some((one) => one.id === id);
}
