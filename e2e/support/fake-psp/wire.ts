// The provider protocol's types on the fake provider's side, written from its document alone.

export const KINDS = ["payments", "payouts", "topups"] as const;
export type Kind = (typeof KINDS)[number];

/** A received creation; only the members that the fake provider needs are declared. */
export interface Creation {
  readonly reference: string;
  readonly merchant_id: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly next_action_type?: string;
  readonly hosted_url?: string;
  readonly recipient?: { readonly account_number?: string; readonly account_last4?: string };
  readonly destination?: { readonly amount: string; readonly currency: string };
  readonly source?: { readonly amount: string; readonly currency: string; readonly network: string };
}

export type Report = Readonly<Record<string, unknown>> & { readonly reference: string; readonly status: string };

/** The amount of an intent: for a top-up what the payer sends, else its only amount. */
export function sumOf(creation: Creation): { amount: string; currency: string } {
  const { amount = "0", currency = "" } = creation.source ?? creation;
  return { amount, currency };
}
