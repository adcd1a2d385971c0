// Owns changing approval policies as a member who is named by address.
import type { PolicyVersion } from "@/server/db/approval-policies";
import type { ApprovalPolicy } from "@/server/domain/approval-policy";
import type { CallContext, Scope } from "@/server/domain/scope";
import { operatorAs, requireMemberByAddress } from "../members/by-address";
import { operatorContext } from "../merchants/operator";
import { confirmPolicy } from "./confirm";
import { proposePolicy } from "./propose";
import { rejectPolicy } from "./reject";

/** Proposes as the member (`proposePolicy`); throws not_found too, for an address that is no member's. */
export async function proposePolicyAs(scope: Scope, email: string, policy: ApprovalPolicy): Promise<PolicyVersion> {
  return proposePolicy(await contextOf(scope, email), policy);
}

/** Confirms as the member (`confirmPolicy`). */
export async function confirmPolicyAs(scope: Scope, email: string, version: number): Promise<PolicyVersion> {
  return confirmPolicy(await contextOf(scope, email), version);
}

/** Rejects as the member (`rejectPolicy`). */
export async function rejectPolicyAs(scope: Scope, email: string, version: number): Promise<PolicyVersion> {
  return rejectPolicy(await contextOf(scope, email), version);
}

async function contextOf({ merchantId, environment }: Scope, email: string): Promise<CallContext> {
  return operatorContext(merchantId, environment, operatorAs(await requireMemberByAddress(merchantId, email)));
}
