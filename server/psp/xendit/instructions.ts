// What a payment request tells the payer to do, in the form of our protocol.
import type { PaymentMethod } from "@/server/domain/payment-methods";
import type { WirePaymentNextAction } from "../http/wire";
import type { XenditPayment } from "./objects";
import { PAYMENT_ROWS } from "./tables";

/** Kinds of addresses that a browser opens, the best first; an app's own address is not one. */
const WEB_PAGES = ["WEB", "MOBILE"];

/** Returns the payer's instructions, or null if there are none that Sluice can show. */
export function instructionsOf(
  { code }: PaymentMethod,
  { payment_method: { qr_code, virtual_account }, actions }: XenditPayment,
): WirePaymentNextAction | null {
  const collection = PAYMENT_ROWS[code]?.collection;
  switch (collection?.type) {
    case "QR_CODE": {
      const { qr_string: data, expires_at } = qr_code?.channel_properties ?? {};
      return data ? { type: "display_qr_code", data, ...(expires_at ? { expires_at } : {}) } : null;
    }
    case "VIRTUAL_ACCOUNT": {
      const properties = virtual_account?.channel_properties ?? {};
      const { virtual_account_number: account_number, customer_name, expires_at } = properties;
      if (!account_number || !customer_name) return null;
      const { network, bankName: bank_name, bankCode: bank_code } = collection;
      return {
        type: "display_bank_transfer_instructions",
        reference: account_number,
        financial_addresses: [{ network, bank_name, bank_code, account_number, account_holder_name: customer_name }],
        ...(expires_at ? { expires_at } : {}),
      };
    }
    case "EWALLET": {
      const pages = (actions ?? []).filter(({ action, method }) => action === "AUTH" && (method ?? "GET") === "GET");
      const page = WEB_PAGES.flatMap((type) => pages.find(({ url_type }) => url_type === type) ?? [])[0];
      return page?.url ? { type: "redirect_to_url", url: page.url } : null;
    }
    default:
      return null;
  }
}
