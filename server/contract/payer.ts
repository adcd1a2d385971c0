// The data of the payer's page and of its form; the page is not part of the merchant's interface.

import { z } from "zod";
import type { FinancialAddress } from "@/server/domain/next-action";
import type { PaymentStatus } from "@/server/domain/payment-transitions";
import type { Environment } from "@/server/domain/scope";

/** Outcomes that the page's buttons can request from the simulator. */
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
  /** `url` is null if the redirect leads to this page. */
  | { readonly type: "redirect"; readonly url: string | null };

/** The content of the page; times are ISO 8601 text, the amount is minor-unit text. */
export interface PayerPage {
  readonly id: string;
  readonly environment: Environment;
  readonly status: PaymentStatus;
  /** Counts changes: a different number means new content. */
  readonly revision: number;
  readonly isEnded: boolean;
  readonly merchantName: string;
  /** Such as `#1b7f5c`; null for none. */
  readonly brandColor: string | null;
  /** The address of the merchant's logo; null without one. */
  readonly logoUrl: string | null;
  readonly methodName: string;
  /** What is bought, in the merchant's words. */
  readonly description: string | null;
  /** The merchant's page to go back to. */
  readonly returnUrl: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly updatedAt: string;
  readonly shownAt: string;
  readonly instructions: PayerInstructions | null;
  readonly failureCode: string | null;
}

/** The state that the page polls until the payment has ended. */
export interface PayerState {
  readonly revision: number;
  readonly isEnded: boolean;
}
