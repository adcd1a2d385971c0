// What a payer must do next (interface §2.1 and §2.3), in the shape of the wire.

export interface FinancialAddress {
  readonly network: string;
  readonly bank_name: string;
  readonly bank_code: string;
  readonly account_number: string;
  readonly account_holder_name: string;
}

/** What the customer must do, in the shape of the method (interface §2.1). Times are ISO 8601 text, as on the wire. */
export type PaymentNextAction =
  | { readonly type: "redirect_to_url"; readonly url: string; readonly expires_at: string }
  | {
      readonly type: "display_qr_code";
      readonly data: string;
      readonly image_url_png: string;
      readonly image_url_svg: string;
      readonly hosted_instructions_url: string;
      readonly expires_at: string;
    }
  | {
      readonly type: "display_bank_transfer_instructions";
      readonly amount: string;
      readonly currency: string;
      readonly reference: string;
      readonly financial_addresses: readonly FinancialAddress[];
      readonly hosted_instructions_url: string;
      readonly expires_at: string;
    };

/** What the payer must send and where (interface §2.3); wire form, amounts in source minor units. */
export interface TopupNextAction {
  readonly type: "display_crypto_payment_instructions";
  readonly address: string;
  readonly amount: string;
  readonly currency: string;
  readonly network: string;
  readonly expires_at: string;
}
