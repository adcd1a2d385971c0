import { erasePayerData } from "@/server/services/payer/erase";
import { defineCommand, optional, required, UsageError } from "../command";

export const payers = defineCommand({
  name: "payers erase",
  summary: "Erase a payer's name, email and reference from ended payments and the API log; the books stay",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    reference: optional("TEXT", "the payer's `customer.reference`"),
    email: optional("ADDRESS", "the payer's `customer.email`"),
  },
  run: async ({ merchant, reference, email }) => {
    if ((reference === null) === (email === null)) throw new UsageError("name the payer by --reference or by --email");
    const { payments, open, requests } = await erasePayerData({ merchantId: merchant, reference, email });
    return { payments_erased: payments, payments_open: open, api_log_deleted: requests };
  },
});
