// Ended intents, with every ending that the release had, and the reports that came afterwards.
import {
  approve,
  createPayment,
  createPayout,
  createTopup,
  endWindow,
  type Intent,
  type Party,
  report,
  type Stage,
  settle,
  simulate,
  untilStatus,
} from "./stage";

/** Payments that ended: paid, refused, cancelled, expired, with late money and wrong amounts. */
export async function endPayments(stage: Stage, party: Party): Promise<void> {
  const { acme } = stage;
  const { live } = party;
  const make = (changes = {}) => createPayment(live, changes);

  const paid = await make();
  await acme.happen({ reference: paid.id, event: "executed" });
  await untilStatus(live, paid.id, "succeeded");
  await report(stage, acme, paid.id, { provider_reference: "acme_second_receipt" });

  for (const [event, status] of [
    ["declined", "failed"],
    ["cancelled", "failed"],
    ["expired", "expired"],
  ] as const) {
    const { id } = await make();
    await acme.happen({ reference: id, event });
    await untilStatus(live, id, status);
  }

  await acme.misbehave({ mode: "decline", kind: "payments", operation: "create", times: 1 });
  await make();

  for (const money of ["open", "credit", "refund"]) {
    const { id } = await make({ amount: "2050" });
    await acme.happen({ reference: id, event: "expired" });
    await untilStatus(live, id, "expired");
    await report(stage, acme, id, { status: "succeeded", amount: "2050", currency: "BRL" });
    if (money !== "open") await settle(stage, party, id, money);
  }

  const unpaid = await make();
  await endWindow(stage, "payment_intent", unpaid.id);
  await untilStatus(live, unpaid.id, "expired");

  await acme.misbehave({ mode: "not_accept", kind: "payments", operation: "create", times: 1 });
  const moved = await make({ amount: "30000", currency: "MXN", country: "MX", payment_method: "MX_SPEI" });
  await stage.zeta.happen({ reference: moved.id, event: "executed" });
  await untilStatus(live, moved.id, "succeeded");
}

/** Payouts that ended: settled, refused, cancelled, returned by the bank, settled after a refusal. */
export async function endPayouts(stage: Stage, party: Party): Promise<void> {
  const { acme } = stage;
  const { live, approvers } = party;
  const [eva = ""] = approvers;
  const dispatch = async (changes = {}) => {
    const { id } = await createPayout(live, changes);
    await approve(stage, id, eva);
    return id;
  };

  await untilStatus(live, await dispatch(), "succeeded");
  const returned = await dispatch({ amount: "7000" });
  const partly = await dispatch({ amount: "8000" });
  for (const [id, amount] of [
    [returned, "7000"],
    [partly, "3000"],
  ] as const) {
    await untilStatus(live, id, "succeeded");
    const back = { status: "returned", amount, currency: "BRL", provider_reference: `return_${amount}` };
    await report(stage, acme, id, back);
  }

  for (const mode of ["decline", "invalid_recipient"] as const) {
    await acme.misbehave({ mode, kind: "payouts", operation: "create", times: 1 });
    const id = await dispatch({ amount: "4100" });
    await untilStatus(live, id, "failed");
    const settled = { status: "settled", amount: "4100", currency: "BRL" };
    if (mode === "decline") await report(stage, acme, id, settled);
  }

  const cancelled = await createPayout(live, { amount: "5000" });
  await live.post(`/payout_intents/${cancelled.id}/cancel`, { reason: "not needed" });
  const byMember = await createPayout(live, { amount: "5100" });
  await stage.cli("payouts", "cancel", "--id", byMember.id, "--as", eva);

  await acme.misbehave({ mode: "not_accept", kind: "payouts", operation: "create", times: 1 });
  const moved = await dispatch({ amount: "60000", currency: "MXN", country: "MX" });
  await untilStatus(live, moved, "succeeded");
}

/** Top-ups that ended: paid exactly, in part, too much, late, under two sets of terms, and funds that vanished. */
export async function endTopups(stage: Stage, party: Party): Promise<void> {
  const { acme } = stage;
  const { live } = party;
  const funds = async (id: string, total: string, more = {}) => {
    const seen = { status: "funds_seen", amount: total, currency: "USDT", confirmed: true };
    await report(stage, acme, id, { ...seen, ...more });
  };
  const priceOf = (intent: Intent) => BigInt((intent.source as { amount: string }).amount);

  const [exact, over, part, late, gone, declined] = [
    await createTopup(live),
    await createTopup(live),
    await createTopup(live),
    await createTopup(live),
    await createTopup(live),
    await createTopup(live),
  ];
  await funds(exact.id, `${priceOf(exact)}`);
  await funds(over.id, `${(priceOf(over) * 11n) / 10n}`);
  await funds(over.id, `${(priceOf(over) * 15n) / 10n}`);
  await funds(part.id, `${priceOf(part) / 2n}`);
  await endWindow(stage, "topup_intent", part.id);
  await endWindow(stage, "topup_intent", late.id);
  await untilStatus(live, late.id, "expired");
  await funds(late.id, `${priceOf(late) / 4n}`);
  await funds(late.id, `${priceOf(late) / 2n}`);
  await funds(gone.id, `${priceOf(gone)}`);
  await report(stage, acme, gone.id, { status: "funds_dropped", amount: "0", currency: "USDT" });
  await report(stage, acme, declined.id, { status: "declined" });

  const terms = ["--overpayment", "hold", "--underpayment", "hold", "--late-payment", "credit_actual"];
  await stage.cli("topup-terms", "set", "--merchant", party.merchant.id, "--environment", "live", ...terms);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const [held, short, lateAgain] = [await createTopup(live), await createTopup(live), await createTopup(live)];
  await funds(held.id, `${priceOf(held) * 2n}`);
  await funds(short.id, `${priceOf(short) / 2n}`);
  await endWindow(stage, "topup_intent", short.id);
  await untilStatus(live, short.id, "failed");
  await report(stage, acme, lateAgain.id, { status: "expired" });
  await funds(lateAgain.id, `${priceOf(lateAgain) / 2n}`);
}

/** Intents of the test environment, whose simulator ends them. */
export async function playSandbox(stage: Stage, party: Party): Promise<void> {
  const { test, approvers } = party;
  for (const amount of ["1001", "1002", "1003", "1004", "1005", "1006", "1007"]) await createPayment(test, { amount });
  for (const outcome of ["succeeded", "pending", "cancelled", "expired"]) {
    await simulate(test, (await createPayment(test)).id, outcome);
  }
  for (const amount of ["10002", "10005", "10008", "10009"]) {
    const { id } = await createTopup(test, amount);
    if (amount === "10008" || amount === "10009") await simulate(test, id, "succeeded");
  }
  await simulate(test, (await createTopup(test)).id, "funds_seen");
  await createPayout(test);
  const dispatched = await createPayout(test, { amount: "3000" });
  await approve(stage, dispatched.id, approvers[0] ?? "");
  await untilStatus(test, dispatched.id, "succeeded");
}
