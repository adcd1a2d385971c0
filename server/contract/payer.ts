// What the payer's page is made of and what its form sends; the page is no part of the merchant's interface.

import { z } from "zod";
import type { FinancialAddress } from "@/server/domain/next-action";
import type { PaymentStatus } from "@/server/domain/payment-transitions";
import type { Environment } from "@/server/domain/scope";

/** Outcomes that the page's buttons may ask of the simulator. */
const PAYER_OUTCOMES = ["succeeded", "declined", "cancelled", "expired"] as const;

export const payerOutcome = z.enum(PAYER_OUTCOMES);
export type PayerOutcome = z.infer<typeof payerOutcome>;

/** A QR code as one SVG path on a square grid of `size` modules, quiet zone included. */
export interface QrPicture {
  readonly size: number;
  readonly path: string;
}

export type PayerInstructions =
  | { readonly type: "qr"; readonly code: string; readonly picture: QrPicture }
  | {
      readonly type: "bank_transfer";
      readonly reference: string;
      readonly addresses: readonly FinancialAddress[];
    }
  /** `url` is null when this very page is where the payer was sent. */
  | { readonly type: "redirect"; readonly url: string | null };

/** Everything the page shows; times are ISO 8601 text, the amount is minor-unit text. */
export interface PayerPage {
  readonly id: string;
  readonly environment: Environment;
  readonly status: PaymentStatus;
  /** Counts changes: another number means there is something new to show. */
  readonly revision: number;
  readonly isEnded: boolean;
  readonly merchantName: string;
  readonly methodName: string;
  readonly amount: string;
  readonly currency: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly updatedAt: string;
  readonly shownAt: string;
  readonly instructions: PayerInstructions | null;
  readonly failureCode: string | null;
}

/** What the page asks for again and again until the payment has ended. */
export interface PayerState {
  readonly revision: number;
  readonly isEnded: boolean;
}
