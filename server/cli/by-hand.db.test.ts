// Tests the commands that take two people: manual resolutions and journal entries.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { listExceptionsOf } from "@/server/db/exceptions";
import { findRefund } from "@/server/db/suspense-refunds";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { intentHistory } from "@/server/services/intents/history";
import { createPaymentIntent } from "@/server/services/payments/create";
import { approvePayoutIntent } from "@/server/services/payouts/approve";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { confirmRefund } from "@/server/services/refunds/decide";
import { proposeRefund } from "@/server/services/refunds/propose";
import { simulate } from "@/server/services/sandbox/simulate";
import {
  approvedPayout,
  balanceOf,
  makeMember,
  makeMerchant,
  OPENING,
  payment,
  payout,
  type TestMerchant,
} from "@/server/testing/merchant";
import { documentOf, runCli } from "./testing/run-cli";
import { runCommand as run } from "./testing/run-command";

/** Each run of the command line is a process, which takes long on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const FINANCE = "finance@shop.example";
const EVIDENCE = ["--evidence", "Letter of the provider, their ref. 4711"];

let merchant: TestMerchant;
beforeAll(async () => {
  merchant = await makeMerchant();
  const { merchantId } = merchant;
  await makeMember(merchantId, FINANCE, "finance");
});
afterAll(disconnect);

const propose = (id: string, ...more: string[]) =>
  run("intents", "propose-resolution", "--merchant", merchant.merchantId, "--id", id, ...EVIDENCE, ...more);

it("the operator proposes a payout's end in a member's name, another confirms it, and the audit log names the operator for both", async () => {
  const intent = await approvedPayout(merchant);
  const settled = ["--outcome", "settled", "--amount", "24000", "--provider-reference", "px-1", "--as", FINANCE];
  const proposed = await propose(intent.id, ...settled);
  expect(proposed).toMatchObject({
    intent_id: intent.id,
    outcome: "settled",
    amount: "24000",
    currency: "BRL",
    provider_reference: "px-1",
    state: "proposed",
    proposed_by: `operator:${FINANCE}`,
  });
  const id = String(proposed.id);
  expect(await run("intents", "resolutions", "--open")).toMatchObject({ data: [{ id }], has_more: false });
  const confirm = ["intents", "confirm-resolution", "--id", id, "--operator", "Jan Novak"];
  const confirmed = { id, state: "confirmed", decided_by: "operator:jan novak" };
  expect(documentOf(await runCli(confirm))).toMatchObject(confirmed);
  expect(await run(...confirm)).toMatchObject({ code: "validation_failed" });
  expect(await balanceOf(merchant)).toEqual([OPENING - 24_000n, 0n]);
  expect(await run("intents", "resolutions", "--open", "--merchant", merchant.merchantId)).toMatchObject({ data: [] });
  const audit = await query(
    "SELECT actor_type, actor_id, action FROM audit_entry WHERE object_id = $1 OR action = 'payout_intent.resolved_settled' ORDER BY id",
    id,
  );
  expect(audit).toEqual([
    { actor_type: "operator", actor_id: FINANCE, action: "manual_resolution.propose" },
    { actor_type: "operator", actor_id: "jan novak", action: "payout_intent.resolved_settled" },
    { actor_type: "operator", actor_id: "jan novak", action: "manual_resolution.confirm" },
  ]);
});

it("the actor is named exactly once; an operator's own proposal is confirmed or rejected by another", async () => {
  const { id } = await approvedPayout(merchant);
  const failed = ["--outcome", "failed"];
  expect(await propose(id, ...failed)).toMatchObject({ code: "validation_failed" });
  expect(await propose(id, ...failed, "--as", FINANCE, "--operator", "Eva")).toMatchObject({
    code: "validation_failed",
  });
  expect(await propose(id, ...failed, "--as", "nobody@shop.example")).toMatchObject({ code: "not_found" });
  expect(await propose("word_unknown", ...failed, "--operator", "Eva")).toMatchObject({ code: "not_found" });
  const proposed = await propose(id, ...failed, "--operator", "Eva Holm");
  const decide = (verb: string, ...who: string[]) => run("intents", verb, "--id", String(proposed.id), ...who);
  const own = decide("confirm-resolution", "--operator", "EVA  holm");
  expect(await own).toMatchObject({ code: "approval_required" });
  expect(await decide("reject-resolution", "--as", FINANCE)).toMatchObject({
    state: "rejected",
    decided_by: `operator:${FINANCE}`,
  });
  const named = await propose(id, ...failed, "--as", FINANCE);
  const confirm = ["intents", "confirm-resolution", "--id", String(named.id), "--operator", FINANCE.toUpperCase()];
  expect(await run(...confirm)).toMatchObject({ code: "approval_required" });
  expect(await run("intents", "confirm-resolution", "--id", "mres_1", "--operator", "Eva")).toMatchObject({
    code: "not_found",
  });
});

it("a refund's end is proposed in a member's name and confirmed by an operator who is another person", async () => {
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  for (const outcome of ["expired", "succeeded"]) await simulate(merchant.context, intent.id, outcome);
  const [exception] = await listExceptionsOf(merchant.scope, { objectId: intent.id }, null, 1);
  const refund = await proposeRefund(merchant.byMember(), exception?.id ?? "", "Paid late.");
  const failed = ["--outcome", "failed", "--as", FINANCE];
  expect(await propose(refund.id, ...failed)).toMatchObject({ code: "validation_failed" });
  await confirmRefund(merchant.byMember(), refund.id);
  const proposed = await propose(refund.id, ...failed);
  expect(proposed).toMatchObject({ intent_id: refund.id, outcome: "failed", amount: null, state: "proposed" });
  const confirm = ["intents", "confirm-resolution", "--id", String(proposed.id), "--operator"];
  expect(await run(...confirm, FINANCE)).toMatchObject({ code: "approval_required" });
  expect(await run(...confirm, "Jan Novak")).toMatchObject({ state: "confirmed" });
  expect(await findRefund(merchant.scope, refund.id)).toMatchObject({ state: "failed" });
});

it("the maker of a payout neither proposes nor confirms how it ended", async () => {
  const context = merchant.byMember();
  const { intent } = await createPayoutIntent(context, payout(), withoutIdempotency());
  await approvePayoutIntent(merchant.byMember(), { id: intent.id });
  const [maker] = await query<{ email: string }>("SELECT email FROM member WHERE id = $1", context.actor.id);
  const failed = ["--outcome", "failed"];
  for (const who of [
    ["--as", maker?.email ?? ""],
    ["--operator", maker?.email ?? ""],
  ]) {
    expect(await propose(intent.id, ...failed, ...who)).toMatchObject({ code: "approval_required" });
  }
  const { id } = await propose(intent.id, ...failed, "--as", FINANCE);
  const confirm = ["intents", "confirm-resolution", "--id", String(id), "--operator"];
  expect(await run(...confirm, maker?.email ?? "")).toMatchObject({ code: "approval_required" });
});

it.each([
  ["payouts approve", ["payouts", "approve"], "payout_intent.approve"],
  ["payouts cancel", ["payouts", "cancel"], "payout_intent.cancel"],
])("%s --as is the operator's act", async (_name, command, action) => {
  const { merchantId } = merchant;
  const email = `${action.slice(14)}@shop.example`;
  const memberId = await makeMember(merchantId, email, "approver");
  const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
  expect(await run(...command, "--id", intent.id, "--as", email)).not.toHaveProperty("code");
  const history = await intentHistory(intent);
  expect(history.audit.at(-1)).toMatchObject({ action, actorType: "operator", actorId: email, actor: { name: email } });
  const approvals = await query("SELECT member_id FROM approval WHERE payout_id = $1", intent.id);
  expect(approvals).toEqual(action === "payout_intent.approve" ? [{ member_id: memberId }] : []);
});

it("a journal entry is proposed by one operator and booked by another", async () => {
  const [before, held] = await balanceOf(merchant);
  const entry = [
    "--from",
    "provider_clearing",
    "--to",
    "available",
    "--currency",
    "BRL",
    "--amount",
    "1050",
    "--provider",
    "acme",
  ];
  const scope = ["--merchant", merchant.merchantId, "--environment", "test"];
  const proposeEntry = () => run("journal", "propose", ...scope, ...entry, ...EVIDENCE, "--operator", "Eva Holm");
  const proposed = await proposeEntry();
  const sides = { from: "provider_clearing", to: "available", currency: "BRL", amount: "1050", provider: "acme" };
  expect(proposed).toMatchObject({ ...sides, state: "proposed", proposed_by: "operator:eva holm" });
  const confirm = ["journal", "confirm", "--id", String(proposed.id), "--operator"];
  expect(await run(...confirm, "Eva Holm")).toMatchObject({ code: "approval_required" });
  expect(await run(...confirm, "Jan Novak")).toMatchObject({ state: "confirmed", decided_by: "operator:jan novak" });
  expect(await balanceOf(merchant)).toEqual([before + 1050n, held]);
  const { id } = await proposeEntry();
  const reject = ["journal", "reject", "--id", String(id), "--operator", "Eva Holm"];
  expect(await run(...reject)).toMatchObject({ state: "rejected" });
  expect(await run("journal", "list", "--open")).toMatchObject({ data: [], has_more: false });
  expect(await run("journal", "list")).toMatchObject({ data: [{ state: "confirmed" }, { state: "rejected" }] });
});
