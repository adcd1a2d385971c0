// Owns the words of the provider protocol as the fake provider speaks it, written from its document alone.

export const KINDS = ["payments", "payouts", "topups"] as const;
export type Kind = (typeof KINDS)[number];

/** A creation as it was received; only what the fake provider itself needs is named. */
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

/** The sum an intent is about: what the payer of a top-up sends, else its only sum. */
export function sumOf(creation: Creation): { amount: string; currency: string } {
  const { amount = "0", currency = "" } = creation.source ?? creation;
  return { amount, currency };
}
