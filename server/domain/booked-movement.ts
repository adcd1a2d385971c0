/** Money that a provider moved for an intent, as it is booked. */
export interface BookedMovement {
  readonly uniqueKey: string;
  readonly currency: string;
  /** Minor units: above zero what came in, below zero what left. */
  readonly amount: bigint;
  /** The provider's reference where its exception holds it, or the answer that settled a payout. */
  readonly reference: string | null;
}
