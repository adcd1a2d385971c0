// A stolen session alone neither creates authority nor moves money: such acts take the member's code or password.

import { Secret, TOTP } from "otpauth";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { Environment } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { operatorContext } from "@/server/services/merchants/operator";
import { setStepUp } from "@/server/services/sign-in/step-up";
import { beginTotp, confirmTotp } from "@/server/services/sign-in/totp";
import { makeMember, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { appRouter, createCaller } from "./router";

const inEnglish = () => Promise.resolve("en" as const);

const PASSWORD = "correct horse battery";

/** Every procedure that takes a proof, with an input that passes its schema. */
const PROVEN: Readonly<Record<string, object>> = {
  "payoutIntents.create": { recipient_id: newId("payoutRecipient"), amount: "100", merchant_reference: "stolen" },
  "payoutRecipients.save": {
    account_number: "0001-123456",
    bank_code: "001",
    holder_name: "Ana Souza",
    country: "BR",
    currency: "BRL",
  },
  "payoutBatches.approve": { id: newId("payoutBatch"), digest: "" },
  "payoutBatches.create": { text: "", name: "payouts.csv", digest: "" },
  "payoutIntents.approve": { id: newId("payoutIntent"), digest: "" },
  "payoutIntents.approveMany": { payouts: [{ id: newId("payoutIntent"), digest: "" }] },
  "payoutIntents.decideHold": { id: newId("payoutIntent"), decision: "release" },
  "apiKeys.create": { name: "mine" },
  "apiKeys.roll": { id: newId("apiKey"), grace_seconds: 0 },
  "account.changeName": { name: "Paula Reis" },
  "members.endSessions": { id: newId("member") },
  "members.invite": { email: "straw@shop.example", roles: ["approver"] },
  "members.setTestRoles": { id: newId("member"), roles: ["owner"] },
  "members.setRoles": { id: newId("member"), roles: ["owner"] },
  "members.disable": { id: newId("member") },
  "members.enable": { id: newId("member") },
  "members.resetPassword": { id: newId("member") },
  "members.confirmGrant": { grant_id: newId("roleGrant") },
  "merchantSettings.setName": { name: "Padaria Estrela" },
  "merchantSettings.setBrand": { color: "#1b7f5c" },
  "merchantSettings.setCheckoutMode": { mode: "hosted" },
  "merchantSettings.changeTopupPolicies": { overpayment: "hold", underpayment: "hold", late_payment: "hold" },
  "merchantSettings.confirmTopupPolicies": { id: newId("topupPolicyProposal") },
  "approvalPolicies.propose": { policy: { default_approvals: 0, rules: [] } },
  "approvalPolicies.confirm": { version: 2 },
  "payoutLimits.set": {
    api_key_id: null,
    currency: "BRL",
    amount_at_most: null,
    day_at_most: null,
    recipient_day_at_most: null,
  },
  "exceptions.settle": { id: newId("exception"), as: "credit", resolution: "Mine." },
  "exceptions.applyCallback": { id: newId("exception") },
  "refunds.propose": { id: newId("exception"), reason: "Paid late." },
  "refunds.confirm": { id: newId("suspenseRefund") },
  "refunds.proposeEnd": { id: newId("suspenseRefund"), outcome: "failed", evidence: "A letter." },
  "notifications.create": {
    channel: "slack",
    url: "https://evil.example/hooks",
    types: ["security"],
    pace: "immediate",
    time_zone: "UTC",
    daily_at: "09:00",
    quiet_hours: null,
  },
  "webhookEndpoints.create": { url: "https://evil.example/hooks" },
  "webhookEndpoints.update": { id: newId("webhookEndpoint"), url: "https://evil.example/hooks" },
  "webhookEndpoints.rotateSecret": { id: newId("webhookEndpoint") },
};

/** Acts that take no proof: they take authority away, stop something, or concern only the caller's own view. */
const UNPROVEN = [
  "account.beginPasskey",
  "account.beginPasskeyProof",
  "account.beginTotp",
  "account.changePassword",
  "account.confirmPasskey",
  "account.confirmTotp",
  "account.endOtherSessions",
  "account.endSession",
  "account.removePasskey",
  "account.removeTotp",
  "apiKeys.revoke",
  "approvalPolicies.reject",
  "deliveries.replay",
  "deliveries.resend",
  "deliveries.resendMany",
  "exceptions.assignMany",
  "exceptions.resolve",
  "exceptions.resolveMany",
  "exceptions.take",
  "members.rejectGrant",
  "merchantSettings.rejectTopupPolicies",
  "members.revokeLink",
  "members.setStepUp",
  "notifications.remove",
  "notifications.test",
  "notifications.update",
  "payoutBatches.preview",
  "payoutIntents.cancel",
  "payoutIntents.cancelMany",
  "payoutRecipients.remove",
  "reconciliation.preview",
  "reconciliation.upload",
  "refunds.reject",
  "refunds.rejectEnd",
  "savedViews.remove",
  "savedViews.rename",
  "savedViews.save",
  "session.chooseLanguage",
  "session.chooseTimeZone",
  "session.signOutEverywhere",
  "topupIntents.create",
  "webhookEndpoints.remove",
  "webhookEndpoints.test",
];

let merchant: TestMerchant;
let owner: string;
beforeAll(async () => {
  merchant = await makeMerchant();
});
beforeEach(async () => {
  owner = await makeMember(merchant.merchantId, `${newId("request")}@shop.example`, "owner");
});

/** Calls a procedure with the owner's session; returns why it was refused, or `passed`. */
async function outcomeOf(path: string, environment: Environment, proof: object = {}): Promise<string> {
  const { merchantId } = merchant;
  const member = {
    id: owner,
    email: "owner@shop.example",
    roles: ["owner"],
    testRoles: null,
    name: null,
    merchantId,
    merchantName: "M",
  };
  const session = { merchantId, sessionId: newId("session"), member, mustEnrol: false };
  const caller = createCaller({ session, requestId: newId("request"), address: null, language: inEnglish });
  const [router = "", name = ""] = path.split(".");
  const procedures = caller as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>;
  return (
    procedures[router]?.[name]?.({ environment, ...PROVEN[path], ...proof }).then(
      () => "passed",
      (error: { code: string; cause?: { name?: string } }) =>
        error.code === "PRECONDITION_FAILED" ? (error.cause?.name ?? "") : "passed",
    ) ?? "missing"
  );
}

it("every procedure that changes something takes a proof or is listed as one that does not", () => {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  const mutations = Object.keys(procedures).filter((path) => procedures[path]?._def.type === "mutation");
  expect(mutations.sort()).toEqual([...Object.keys(PROVEN), ...UNPROVEN].sort());
});

describe.each(Object.keys(PROVEN))("in live, %s", (path) => {
  it("is refused without the password of a member without codes, and passes with it", async () => {
    expect(await outcomeOf(path, "live")).toBe("PasswordRequired");
    expect(await outcomeOf(path, "live", { password: "not the password" })).toBe("PasswordRequired");
    expect(await outcomeOf(path, "live", { code: "000000" })).toBe("PasswordRequired");
    expect(await outcomeOf(path, "live", { password: PASSWORD })).toBe("passed");
  });
});

it("a member with codes gives one, for one act each; the password does not do", async () => {
  const { merchantId } = merchant;
  const { secret } = await beginTotp({ merchantId, memberId: owner }, "owner", "");
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const codeAt = (ms: number) => totp.generate({ timestamp: Date.now() + ms });
  const call = { ...merchant.context, actor: { type: "member", id: owner } } as const;
  await confirmTotp(call, codeAt(-30_000), "");
  expect(await outcomeOf("apiKeys.create", "live", { password: PASSWORD })).toBe("CodeRequired");
  const code = codeAt(0);
  expect(await outcomeOf("apiKeys.create", "live", { code })).toBe("passed");
  expect(await outcomeOf("apiKeys.create", "live", { code })).toBe("CodeRequired");
});

it("in test, acts on members take a proof, and the others if the merchant asks for codes", async () => {
  expect(await outcomeOf("members.invite", "test")).toBe("PasswordRequired");
  expect(await outcomeOf("apiKeys.create", "test")).toBe("passed");
  await setStepUp(operatorContext(merchant.merchantId, "test"), ["key_create"]);
  const [made] = await query<{ count: number }>(
    "SELECT count(*)::int FROM api_key WHERE merchant_id = $1",
    merchant.merchantId,
  );
  await outcomeOf("apiKeys.create", "test", { password: PASSWORD });
  const [after] = await query<{ count: number }>(
    "SELECT count(*)::int FROM api_key WHERE merchant_id = $1",
    merchant.merchantId,
  );
  expect(after?.count).toBe(made?.count);
});
