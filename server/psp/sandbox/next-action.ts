// The sandbox's instructions to the customer of a payment.
import type { PaymentNextAction } from "@/server/domain/next-action";
import type { PaymentRequest } from "../gateway";
import { bankAccount } from "./bank-accounts";
import { digestOf } from "./derive";
import { qrText } from "./qr-code";

/**
 * Returns the next action in the requested shape (interface §2.1); equal requests get equal actions. Throws a
 * RangeError for a method without a QR scheme or account style; a test proves that there is none.
 */
export function paymentNextAction(request: PaymentRequest): PaymentNextAction {
  const expires_at = request.expiresAt.toISOString();
  const { amount, currency, country, hostedUrl, reference } = request;
  switch (request.nextActionType) {
    case "redirect_to_url":
      return { type: "redirect_to_url", url: hostedUrl, expires_at };
    case "display_qr_code": {
      const data = qrText({ reference, methodCode: request.method.code, amount, currency, country });
      if (data === null) throw new RangeError(`no QR scheme for ${request.method.code}`);
      return {
        type: "display_qr_code",
        data,
        image_url_png: `${hostedUrl}/qr.png`,
        image_url_svg: `${hostedUrl}/qr.svg`,
        hosted_instructions_url: hostedUrl,
        expires_at,
      };
    }
    case "display_bank_transfer_instructions": {
      const account = bankAccount(request.method.code, reference);
      if (account === null) throw new RangeError(`no bank account style for ${request.method.code}`);
      return {
        type: "display_bank_transfer_instructions",
        amount: amount.toString(),
        currency,
        reference: `SBX${digestOf(reference, "transfer").toString("hex").slice(0, 10).toUpperCase()}`,
        financial_addresses: [account],
        hosted_instructions_url: hostedUrl,
        expires_at,
      };
    }
  }
}
