// Who may approve which payout: its makers, and since when each member's authority counts.
import type { ApproverStanding } from "@/server/domain/payout-gate";
import { query } from "./client";

/** Since when the authority of member `m` counts in the environment of payout `p`. */
const AUTHORITY_FROM = (m: string) =>
  `CASE p.environment WHEN 'live' THEN ${m}.authority_live_from ELSE ${m}.authority_test_from END`;

export interface PayoutStanding extends ApproverStanding {
  readonly payoutId: string;
  /** How many active members may still approve it. */
  readonly approversLeft: number;
}

/** The member's standing for each of the merchant's payouts. */
export function findStandings(
  merchantId: string,
  payoutIds: readonly string[],
  memberId: string,
): Promise<PayoutStanding[]> {
  return query<PayoutStanding>(
    `SELECT p.id AS "payoutId", is_maker(p, $3) AS "isMaker", ${AUTHORITY_FROM("m")} AS "authorityFrom", (
       SELECT count(*)::int FROM member o
       WHERE o.merchant_id = p.merchant_id AND o.disabled_at IS NULL AND may_approve(roles_in(o, p.environment)) AND NOT is_maker(p, o.id)
         AND ${AUTHORITY_FROM("o")} <= p.created_at
         AND NOT EXISTS (SELECT FROM approval a
                         WHERE a.merchant_id = p.merchant_id AND a.payout_id = p.id AND a.member_id = o.id)
     ) AS "approversLeft"
     FROM payout_intent p LEFT JOIN member m ON m.merchant_id = p.merchant_id AND m.id = $3
     WHERE p.merchant_id = $1 AND p.id = ANY($2::text[])`,
    merchantId,
    payoutIds,
    memberId,
  );
}

/** The member's standing for one payout; null without such a payout. */
export async function findStanding(
  merchantId: string,
  payoutId: string,
  memberId: string,
): Promise<ApproverStanding | null> {
  const [row] = await query<ApproverStanding>(
    `SELECT is_maker(p, $3) AS "isMaker", ${AUTHORITY_FROM("m")} AS "authorityFrom"
     FROM payout_intent p LEFT JOIN member m ON m.merchant_id = p.merchant_id AND m.id = $3
     WHERE p.merchant_id = $1 AND p.id = $2`,
    merchantId,
    payoutId,
    memberId,
  );
  return row ?? null;
}

/** The members who made the payout. */
export async function findMakers(merchantId: string, payoutId: string): Promise<readonly string[]> {
  const [row] = await query<{ makers: string[] }>(
    `SELECT coalesce(makers, CASE created_by_type WHEN 'member' THEN ARRAY[created_by_id] ELSE '{}' END) AS makers
     FROM payout_intent WHERE merchant_id = $1 AND id = $2`,
    merchantId,
    payoutId,
  );
  return row?.makers ?? [];
}
