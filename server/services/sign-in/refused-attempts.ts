// Audits refused attempts to prove who a member is: a bounded sample, since anybody can cause them.
import { actOf, recordEvent } from "@/server/db/audit/record";
import type { CallContext } from "@/server/domain/scope";
import { withinMerchant } from "@/server/platform/reach";
import type { Attempt } from "./sign-in-throttle";

/** Besides the first failure and those that begin a pause. */
const EVERY = 10;

/** What was wrong. */
export type RefusedProof = "sign_in" | "code" | "password" | "passkey";

export interface RefusedMember {
  readonly merchantId: string;
  readonly memberId: string;
}

/** The actor of a refusal before anybody is signed in: it is not known who tried. */
export const SIGN_IN_ACTOR = { type: "worker", id: "sign-in" } as const;

/**
 * Writes an audit entry for the first failure of a count, each tenth, and one that begins a pause, such as
 * `member.sign_in_refused` or `member.sign_in_paused`. The limits of the counts thereby also limit the entries.
 */
export async function recordRefusedAttempt(
  { merchantId, memberId }: RefusedMember,
  proof: RefusedProof,
  { number, pauses }: Attempt,
  call: Omit<CallContext, "scope">,
): Promise<void> {
  if (pauses === null && number !== 1 && number % EVERY !== 0) return;
  const record = () =>
    recordEvent(
      {
        merchantId,
        environment: null,
        action: `member.${proof}_${pauses === null ? "refused" : "paused"}`,
        objectId: memberId,
        before: null,
        after: { failures: number, ...(pauses && { paused: pauses }) },
      },
      actOf(call),
    );
  await withinMerchant(merchantId, record);
}
