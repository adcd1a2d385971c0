// Audits acts that a member's roles do not allow.
import type { CallContext } from "@/server/domain/scope";
import type { MemberSession } from "../sign-in/sessions";
import { recordSampled } from "./sampled";

/** Records that the member tried `act`, such as `apiKeys.create`; at most once a minute per member and act. */
export function recordDenial(
  { merchantId, member }: MemberSession,
  act: string,
  { requestId, address }: Pick<CallContext, "requestId" | "address">,
): Promise<void> {
  const event = { merchantId, environment: null, action: "member.act_denied", objectId: member.id, kind: { act } };
  return recordSampled(event, { actor: { type: "member", id: member.id }, requestId, address });
}
