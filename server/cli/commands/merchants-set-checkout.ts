// Owns the command that sets how a merchant's customers are shown payments.
import { CHECKOUT_MODES } from "@/server/domain/payment-intent";
import { setCheckoutMode } from "@/server/services/merchants/checkout-mode";
import { defineCommand, oneOf, required } from "../command";

export const merchantsSetCheckout = defineCommand({
  name: "merchants set-checkout",
  summary: "Show new payments in the method's own way, or always on the hosted page",
  options: {
    merchant: required("ID", "the merchant"),
    mode: oneOf(CHECKOUT_MODES, "direct: the method's own next action; hosted: a redirect to our page"),
  },
  run: async ({ merchant, mode }) => {
    await setCheckoutMode(merchant, mode);
    return { id: merchant, checkout_mode: mode };
  },
});
