// Intents in progress when the release is stopped. Their provider answers no poll, so none of them changes meanwhile.
import { approve, createPayment, createPayout, createTopup, type Party, report, type Stage, until } from "./stage";

/** Lets a provider answer no poll from now on. */
export async function silencePolls(stage: Stage): Promise<void> {
  for (const psp of [stage.acme, stage.zeta]) await psp.misbehave({ mode: "server_error", operation: "query" });
}

/** Payments that await their payer, that the payer has acted on, and whose creation has no clear outcome. */
export async function leavePayments(stage: Stage, party: Party): Promise<void> {
  const { live } = party;
  await createPayment(live, { amount: "9000" });
  const pending = await createPayment(live, { amount: "9100" });
  await report(stage, stage.acme, pending.id, { status: "pending" });
  for (const mode of ["execute_then_drop", "drop"] as const) {
    await stage.acme.misbehave({ mode, kind: "payments", operation: "create", times: 1 });
    await createPayment(live, { amount: mode === "drop" ? "9300" : "9200" });
  }
  const wrong = await createPayment(live, { amount: "9400" });
  await report(stage, stage.acme, wrong.id, { status: "succeeded", amount: "9399", currency: "BRL" });
}

/** Payouts at the gate, accepted, without a clear outcome, and settled with another amount. */
export async function leavePayouts(stage: Stage, party: Party): Promise<void> {
  const { acme } = stage;
  const { live, approvers } = party;
  const [eva = ""] = approvers;
  await createPayout(live, { amount: "9000" });
  const dispatch = async (amount: string) => {
    const { id } = await createPayout(live, { amount });
    await approve(stage, id, eva);
    await until(`${id} was sent`, async () => {
      const sql = "SELECT 1 FROM provider_attempt WHERE intent_id = $1 AND state <> 'started'";
      return (await stage.world.database.query(sql, id)).length > 0;
    });
    return id;
  };

  await dispatch("9100");
  const other = await dispatch("9200");
  await report(stage, acme, other, { status: "settled", amount: "9150", currency: "BRL" });
  for (const mode of ["execute_then_drop", "drop"] as const) {
    await acme.misbehave({ mode, kind: "payouts", operation: "create", times: 1, first: true });
    await dispatch(mode === "drop" ? "9400" : "9300");
  }
}

/** A payout that was sent two days ago and is unknown to its provider. It needs no approval. */
export async function leaveForgotten({ acme, world: { database } }: Stage, { live }: Party): Promise<void> {
  await acme.misbehave({ mode: "drop", kind: "payouts", operation: "create", times: 1, first: true });
  const { id } = await createPayout(live, { amount: "950", currency: "JPY", country: "JP" });
  await until(`${id} was sent`, async () => {
    const aged = "started_at = started_at - interval '2 days', answered_at = answered_at - interval '2 days'";
    const sql = `UPDATE provider_attempt SET ${aged} WHERE intent_id = $1 AND state <> 'started' RETURNING 1`;
    return (await database.query(sql, id)).length > 0;
  });
  await acme.misbehave({ mode: "forget", operation: "query", reference: id, first: true });
  await until(`${id} is stuck`, async () => {
    const sql = "SELECT 1 FROM exception WHERE object_id = $1 AND kind = 'stuck'";
    return (await database.query(sql, id)).length > 0;
  });
}

/** Payouts of a merchant whose policy requires two approvals: without any, and with one. */
export async function leaveApprovals(stage: Stage, party: Party): Promise<void> {
  const { live, approvers } = party;
  await createPayout(live, { amount: "700", currency: "MXN", country: "MX" });
  const half = await createPayout(live, { amount: "800", currency: "MXN", country: "MX" });
  await approve(stage, half.id, approvers[0] ?? "");
}

/** Top-ups that await funds, hold a confirmed part, and have seen funds that are not confirmed. */
export async function leaveTopups(stage: Stage, party: Party): Promise<void> {
  const { live } = party;
  const seen = (amount: string, confirmed: boolean) => ({ status: "funds_seen", amount, currency: "USDT", confirmed });
  await createTopup(live);
  const part = await createTopup(live, "20000");
  await report(stage, stage.acme, part.id, seen("10000000", true));
  const unconfirmed = await createTopup(live, "30000");
  await report(stage, stage.acme, unconfirmed.id, seen((unconfirmed.source as { amount: string }).amount, false));
  const both = await createTopup(live, "40000");
  await report(stage, stage.acme, both.id, seen("10000000", true));
  await report(stage, stage.acme, both.id, seen("20000000", false));
}

/** Signed callbacks that cannot be applied: about an unknown intent, and one that is unreadable. */
export async function leaveCallbacks(stage: Stage, party: Party): Promise<void> {
  const merchant_id = party.merchant.id;
  await report(stage, stage.acme, "dord_01h455vb4pex5vsknk084sn02q", { merchant_id, status: "pending" });
  await report(stage, stage.acme, "dord_01h455vb4pex5vsknk084sn02q", { merchant_id, status: "moved_to_the_moon" });
}
