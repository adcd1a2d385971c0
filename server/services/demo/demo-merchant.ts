// Owns making the demo merchant: its currencies, its three members, its test key, and the history of its intents.
import { findMembersByEmailAcrossMerchants } from "@/server/db/members";
import type { Actor, CallContext } from "@/server/domain/scope";
import { randomText } from "@/server/platform/ids";
import { createApiKey } from "../merchants/api-keys";
import { createMerchant } from "../merchants/create";
import { createMember } from "../merchants/members";
import { playDemo } from "./play";

const NAME = "Demo Merchant";
const CURRENCIES = ["BRL", "MXN", "USD", "IDR", "JPY", "KWD", "USDT"];
const PASSWORD_LENGTH = 24;

export interface DemoMember {
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

/** Makes a new demo merchant through the verbs that everyone uses; whatever was made before is left alone. */
export async function createDemoMerchant(): Promise<DemoMerchant> {
  const merchantId = await createMerchant(NAME, CURRENCIES);
  const [key, owner, finance, approver] = await Promise.all([
    createApiKey(merchantId, "test", "Demo key"),
    createDemoMember(merchantId, "owner"),
    createDemoMember(merchantId, "finance"),
    createDemoMember(merchantId, "approver"),
  ]);
  await playDemo({
    merchant: contextOf(merchantId, { type: "api_key", id: key.id }),
    approver: contextOf(merchantId, { type: "member", id: approver.id }),
  });
  const { publicKey, secretKey } = key;
  return { merchantId, publicKey, secretKey, owner, finance, approver };
}

async function createDemoMember(merchantId: string, role: "owner" | "finance" | "approver"): Promise<DemoMember> {
  const password = randomText(PASSWORD_LENGTH);
  const email = await freeAddress(role);
  const id = await createMember({ merchantId, email, password, roles: [role] });
  return { id, email, password };
}

/** An address that an earlier demo has would leave it open at sign-in whose member is meant. */
async function freeAddress(role: string): Promise<string> {
  const address = `${role}@demo.example`;
  const isTaken = (await findMembersByEmailAcrossMerchants(address)).length > 0;
  return isTaken ? `${role}-${randomText(6).toLowerCase()}@demo.example` : address;
}

function contextOf(merchantId: string, actor: Actor): CallContext {
  return { scope: { merchantId, environment: "test" }, actor, requestId: null, address: null };
}
