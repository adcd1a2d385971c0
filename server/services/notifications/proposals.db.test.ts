// Who is notified of what others propose: never its proposer, nor anybody once it is decided.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { listExceptionsOf } from "@/server/db/exceptions";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { changeTopupPolicies, openProposal, rejectTopupPolicies } from "../merchant-settings/topup-policies";
import { createPaymentIntent } from "../payments/create";
import { rejectRefund } from "../refunds/decide";
import { proposeRefund } from "../refunds/propose";
import { simulate } from "../sandbox/simulate";
import { makePerson, openStage, register, type Stage, work } from "./testing/stage";

let stage: Stage;
let merchant: TestMerchant;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
  await disconnect();
});
beforeEach(async () => {
  await query("DELETE FROM notification_registration");
  merchant = await makeMerchant();
  return requireInvariants;
});

/** A payment that was paid after it had expired; returns the exception about its money. */
async function lateMoney(): Promise<{ readonly exceptionId: string; readonly paymentId: string }> {
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  for (const outcome of ["expired", "succeeded"]) await simulate(merchant.context, intent.id, outcome);
  const [exception] = await listExceptionsOf(merchant.scope, {}, null, 1);
  return { exceptionId: exception?.id ?? "", paymentId: intent.id };
}

it("a proposed refund goes to those who may confirm it, with its amount and its payment", async () => {
  const [proposer, approver] = [await makePerson(merchant, ["owner"]), await makePerson(merchant, ["approver"])];
  const developer = await makePerson(merchant, ["developer"]);
  for (const person of [proposer, approver, developer]) await register(person, { types: ["refund_proposed"] });
  const { exceptionId, paymentId } = await lateMoney();
  await proposeRefund(proposer.context, exceptionId, "Paid late.");
  await work();
  await work();
  expect(stage.mailsTo(proposer.email)).toEqual([]);
  expect(stage.mailsTo(developer.email)).toEqual([]);
  const mails = stage.mailsTo(approver.email);
  expect(mails).toEqual([expect.stringContaining("Refund of 10.50 BRL waits for the decision of a second member")]);
  expect(mails[0]).toContain(`/test/exceptions?object_id=${paymentId}`);
  expect(mails[0]).not.toContain("Paid late.");
});

it("a refund that was rejected meanwhile is not announced", async () => {
  const [proposer, approver] = [await makePerson(merchant, ["owner"]), await makePerson(merchant, ["approver"])];
  await register(approver, { types: ["refund_proposed"] });
  const refund = await proposeRefund(proposer.context, (await lateMoney()).exceptionId, "Paid late.");
  await rejectRefund(proposer.context, refund.id);
  await work();
  expect(stage.mailsTo(approver.email)).toEqual([]);
});

it("proposed top-up terms go to the others who may decide on them, in live", async () => {
  const [proposer, admin] = [
    await makePerson(merchant, ["owner"], "live"),
    await makePerson(merchant, ["admin"], "live"),
  ];
  const finance = await makePerson(merchant, ["finance"], "live");
  for (const person of [proposer, admin, finance]) await register(person, { types: ["topup_terms_proposed"] });
  const live = { merchantId: merchant.merchantId, environment: "live" } as const;
  const propose = () =>
    changeTopupPolicies(proposer.context, { overpayment: "hold", underpayment: "hold", latePayment: "hold" });
  await propose();
  await work();
  expect(stage.mailsTo(proposer.email)).toEqual([]);
  expect(stage.mailsTo(finance.email)).toEqual([]);
  const first = stage.mailsTo(admin.email);
  expect(first).toEqual([expect.stringContaining("Change of the top-up terms waits for the decision of a second")]);
  expect(first[0]).toContain("/live/settings");
  await rejectTopupPolicies(admin.context, (await openProposal(live))?.id ?? "");
  await propose();
  await work();
  expect(stage.mailsTo(admin.email)).toHaveLength(2);
});
