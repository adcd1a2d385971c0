// Screenings of payouts at rest: one verdict per payout, and a person's decision on a hold.
import type { Environment } from "@/server/domain/scope";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query } from "./client";
import { listExceptionsOf, resolveExceptionWithin } from "./exceptions";
import { isRefusedBy } from "./failures";

type ScreeningVerdict = "allow" | "hold" | "refuse";
export type HoldDecision = "release" | "refuse";

interface PayoutKey {
  readonly merchantId: string;
  /** The payout's. */
  readonly id: string;
}

/** What the screener answered. */
export interface Screening {
  readonly verdict: ScreeningVerdict;
  /** For the people who decide; at most 512 characters. */
  readonly reason: string | null;
  /** The screener's own name of the case; at most 255 characters. */
  readonly reference: string | null;
}

export interface StoredScreening extends Screening {
  readonly screenedAt: Date;
  /** Null unless a person has decided on the hold. */
  readonly decision: HoldDecision | null;
  readonly decidedById: string | null;
  readonly decidedAt: Date | null;
}

const RESOLUTIONS: Readonly<Record<HoldDecision, string>> = {
  release: "The payout was released.",
  refuse: "The payout was refused.",
};
/** One is open at a time. */
const MAXIMUM_HOLDS = 10;

const COLUMNS = `verdict, reason, reference, screened_at AS "screenedAt", decision, decided_by_id AS "decidedById",
  decided_at AS "decidedAt"`;

/** Returns the payout's screening, or null if it has not been screened. */
export async function findScreening({ merchantId, id }: PayoutKey): Promise<StoredScreening | null> {
  const [row] = await query<StoredScreening>(
    `SELECT ${COLUMNS} FROM payout_screening WHERE merchant_id = $1 AND payout_id = $2`,
    merchantId,
    id,
  );
  return row ?? null;
}

/** Stores the verdict, unless another worker was first; returns what is stored. */
export async function storeScreening(payout: PayoutKey, screening: Screening, at: Date): Promise<StoredScreening> {
  const { verdict, reason, reference } = screening;
  await query(
    `INSERT INTO payout_screening (merchant_id, payout_id, verdict, reason, reference, screened_at)
     VALUES ($1, $2, $3, $4, $5, $6::timestamptz) ON CONFLICT DO NOTHING`,
    payout.merchantId,
    payout.id,
    verdict,
    reason,
    reference,
    at,
  );
  const stored = await findScreening(payout);
  if (!stored) throw new Error("a screening that was just stored is missing");
  return stored;
}

/**
 * Stores a member's decision on a hold, with an audit entry, resolves its exception, and makes the payout due. Returns false if there is no
 * undecided hold, and `made_by_decider` for a release by somebody who made the payout.
 */
export async function decideHold(
  { merchantId, id, environment }: PayoutKey & { readonly environment: Environment },
  decision: HoldDecision,
  act: Act,
): Promise<boolean | "made_by_decider"> {
  const holds = { state: "open", kind: "screening_hold", objectId: id } as const;
  const open = await listExceptionsOf({ merchantId, environment }, holds, null, MAXIMUM_HOLDS);
  try {
    return await inTransaction(async (transaction) => {
      const decided = await transaction.query(
        `UPDATE payout_screening SET decision = $3, decided_by_id = $4, decided_at = $5::timestamptz
         WHERE merchant_id = $1 AND payout_id = $2 AND verdict = 'hold' AND decision IS NULL RETURNING payout_id`,
        merchantId,
        id,
        decision,
        act.actor.id,
        act.at,
      );
      if (decided.length === 0) return false;
      await transaction.query(
        `UPDATE payout_intent SET due_at = least(due_at, now())
         WHERE merchant_id = $1 AND id = $2 AND status = 'processing' AND due_at IS NOT NULL`,
        merchantId,
        id,
      );
      for (const exception of open) await resolveExceptionWithin(transaction, exception, RESOLUTIONS[decision], act);
      const change = { merchantId, environment, action: `payout_screening.${decision}`, objectId: id };
      await recordChange(transaction, { ...change, before: null, after: { decision } }, act);
      return true;
    });
  } catch (error) {
    if (isRefusedBy(error, "release_by_another_person")) return "made_by_decider";
    throw error;
  }
}
