// What commits record about calls to providers.

/** Where a call to a provider goes. */
export interface CalledAccount {
  /** The account at the provider; absent if its adapter does not name accounts. */
  readonly account?: string | undefined;
  /** The merchant's account under it; absent or null for the account itself. */
  readonly subAccount?: string | null | undefined;
}

/** A call to a provider before it is made. */
export interface AnnouncedCall extends CalledAccount {
  readonly id: string;
  readonly provider: string;
  /** Counts the calls about an intent; absent for the first. */
  readonly ordinal?: number;
}

/** The result of a provider call that an earlier commit announced. */
export interface AttemptAnswer {
  readonly id: string;
  readonly state: "answered" | "unknown";
  readonly outcome: string;
  readonly providerReference: string | null;
  readonly providerCode: string | null;
}
