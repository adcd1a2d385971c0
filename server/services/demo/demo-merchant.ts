import { findMembersByEmailAcrossMerchants } from "@/server/db/members";
import type { ApprovalPolicy } from "@/server/domain/approval-policy";
import type { Role } from "@/server/domain/permissions";
import type { Actor, CallContext } from "@/server/domain/scope";
import { randomText } from "@/server/platform/ids";
import { createApiKey } from "../api-keys/create";
import { confirmPolicy } from "../approval-policies/decide";
import { proposePolicy } from "../approval-policies/propose";
import { addMember } from "../members/manage";
import { createMerchant } from "../merchants/create";
import { operatorContext } from "../merchants/operator";
import { playScenario } from "./play";
import type { Scenario } from "./scenarios";

const NAME = "Demo Merchant";
const CURRENCIES = ["BRL", "MXN", "USD", "IDR", "JPY", "KWD", "USDT"];
const PASSWORD_LENGTH = 24;

interface DemoMember {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

export interface DemoMerchant {
  readonly merchantId: string;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly owner: DemoMember;
  readonly finance: DemoMember;
  readonly approver: DemoMember;
}

/** Creates a new merchant and its intents through the ordinary services; leaves earlier merchants unchanged. */
export async function createDemoMerchant(scenario: Scenario): Promise<DemoMerchant> {
  const merchantId = await createMerchant(NAME, CURRENCIES);
  const [key, owner, finance, approver] = await Promise.all([
    createApiKey(operatorContext(merchantId, "test"), "Demo key"),
    createDemoMember(merchantId, "owner"),
    createDemoMember(merchantId, "finance"),
    createDemoMember(merchantId, "approver"),
  ]);
  if (scenario.policy) await adoptPolicy(merchantId, owner, scenario.policy);
  const actors = {
    merchant: contextOf(merchantId, { type: "api_key", id: key.id }),
    approver: contextOf(merchantId, { type: "member", id: approver.id }),
  };
  await playScenario(actors, scenario);
  const { publicKey, secretKey } = key;
  return { merchantId, publicKey, secretKey, owner, finance, approver };
}

/** A policy takes two people: the owner proposes it, an admin confirms it. */
async function adoptPolicy(merchantId: string, owner: DemoMember, policy: ApprovalPolicy): Promise<void> {
  const admin = await createDemoMember(merchantId, "admin");
  const { version } = await proposePolicy(contextOf(merchantId, { type: "member", id: owner.id }), policy);
  await confirmPolicy(contextOf(merchantId, { type: "member", id: admin.id }), version);
}

async function createDemoMember(merchantId: string, role: Role): Promise<DemoMember> {
  const password = randomText(PASSWORD_LENGTH);
  const email = await freeAddress(role);
  const id = await addMember(operatorContext(merchantId, "test"), { email, roles: [role] }, password);
  return { id, email, password };
}

/** Returns an address that no earlier demo uses, so that sign-in finds one member. */
async function freeAddress(role: string): Promise<string> {
  const address = `${role}@demo.example`;
  const isTaken = (await findMembersByEmailAcrossMerchants(address)).length > 0;
  return isTaken ? `${role}-${randomText(6).toLowerCase()}@demo.example` : address;
}

function contextOf(merchantId: string, actor: Actor): CallContext {
  return { scope: { merchantId, environment: "test" }, actor, requestId: null, address: null };
}
