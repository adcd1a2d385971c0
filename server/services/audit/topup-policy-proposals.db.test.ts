// Tests that verification reports proposals of top-up policies that were inserted, edited or deleted in the database.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import type { CallContext } from "@/server/domain/scope";
import type { TopupPolicies } from "@/server/domain/topup-terms";
import { makeMember, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import {
  changeTopupPolicies,
  confirmTopupPolicies,
  openProposal,
  rejectTopupPolicies,
} from "../merchant-settings/topup-policies";
import { linkAuditEntries } from "./link-entries";
import { openTamperer, type Tamperer } from "./testing/tampering";
import { verifyAuditChains } from "./verify-chains";

const POLICIES = { overpayment: "hold", underpayment: "refund", latePayment: "refund" } as const;

let tamperer: Tamperer;
let merchant: TestMerchant;
let [owner, admin]: CallContext[] = [];
let id: string;
beforeAll(async () => {
  tamperer = await openTamperer([]);
});
beforeEach(async () => {
  merchant = await makeMerchant();
  // Whoever confirms must have had the role before the proposal.
  [owner, admin] = [await join("owner"), await join("admin")];
  id = await propose(POLICIES);
});
afterAll(async () => {
  await tamperer.close();
  await disconnect();
});

async function join(role: string): Promise<CallContext> {
  const member = await makeMember(merchant.merchantId, `${crypto.randomUUID()}@shop.example`, role);
  const scope = { merchantId: merchant.merchantId, environment: "live" } as const;
  return { ...merchant.context, scope, actor: { type: "member", id: member } };
}

function people() {
  if (!owner || !admin) throw new Error("nobody is there");
  return { owner, admin };
}

async function propose(wanted: TopupPolicies): Promise<string> {
  await changeTopupPolicies(people().owner, wanted);
  return (await openProposal({ merchantId: merchant.merchantId, environment: "live" }))?.id ?? "";
}

async function faults() {
  await linkAuditEntries();
  const [report] = await verifyAuditChains(merchant.merchantId);
  return report?.faults.shown.map(({ fault, object }) => [fault, object]);
}

const tamper = (sql: string) => tamperer.tamper([sql], merchant.merchantId);

it("as they were proposed, confirmed, rejected and proposed again, they match", async () => {
  expect(await faults()).toEqual([]);
  await confirmTopupPolicies(people().admin, id);
  await rejectTopupPolicies(people().admin, await propose({ ...POLICIES, overpayment: "refund" }));
  await propose({ ...POLICIES, underpayment: "hold" });
  expect(await faults()).toEqual([]);
});

it.each([
  'wanted = wanted || \'{"overpayment": "credit_actual"}\'',
  "replaced = wanted",
  "proposed_by_id = 'mem_1'",
  "proposed_at = proposed_at - interval '1 day'",
  "state = 'confirmed', decided_by_id = 'mem_2', decided_at = proposed_at",
])("edited (%s), it is reported", async (change) => {
  await tamper(`UPDATE topup_policy_proposal SET ${change} WHERE merchant_id = $1`);
  expect(await faults()).toEqual([["row_altered", `topup_policy_proposal ${id}`]]);
});

it.each(["state = 'rejected'", "decided_by_id = 'mem_2'", "decided_at = decided_at + interval '1 s'"])(
  "confirmed and then edited (%s), it is reported",
  async (change) => {
    await confirmTopupPolicies(people().admin, id);
    await tamper(`UPDATE topup_policy_proposal SET ${change} WHERE merchant_id = $1`);
    expect(await faults()).toEqual([["row_altered", `topup_policy_proposal ${id}`]]);
  },
);

it("inserted or deleted, it is reported", async () => {
  const forged = "tpp_01jzzzzzzzzzzzzzzzzzzzzzzz";
  await tamper(`UPDATE topup_policy_proposal SET id = '${forged}' WHERE merchant_id = $1`);
  expect(await faults()).toEqual([
    ["row_unaudited", `topup_policy_proposal ${forged}`],
    ["row_missing", `topup_policy_proposal ${id}`],
  ]);
});
