// What a PaymentIntent tells the payer to do, in the form of our protocol.
import type { FinancialAddress } from "@/server/domain/next-action";
import type { StripeAddress, StripeIntent } from "./objects";

type Action =
  | { readonly type: "display_qr_code"; readonly data: string }
  | { readonly type: "redirect_to_url"; readonly url: string }
  | {
      readonly type: "display_bank_transfer_instructions";
      readonly reference: string;
      readonly financial_addresses: FinancialAddress[];
    };

type Members = Readonly<Record<string, unknown>>;

/** Per type of address: where its parts are. `bank` is shown where Stripe names no bank. */
const ADDRESSES: Readonly<Record<string, { network: string; account: string; code: readonly string[]; bank: string }>> =
  {
    spei: { network: "spei", account: "clabe", code: ["bank_code"], bank: "SPEI" },
    iban: { network: "sepa", account: "iban", code: ["bic"], bank: "SEPA" },
    sort_code: { network: "fps", account: "account_number", code: ["sort_code"], bank: "Faster Payments" },
    zengin: { network: "zengin", account: "account_number", code: ["bank_code", "branch_code"], bank: "Zengin" },
  };

const textOf = (members: Members, name: string): string => {
  const { [name]: value } = members;
  return typeof value === "string" ? value : "";
};

/** Returns an address, or null if Stripe sent another type of it or left out the account. */
function addressOf(given: StripeAddress): FinancialAddress | null {
  const known = Object.hasOwn(ADDRESSES, given.type) ? ADDRESSES[given.type] : undefined;
  const { [given.type]: parts } = given as Members;
  if (!known || typeof parts !== "object" || parts === null) return null;
  const members = parts as Members;
  const account_number = textOf(members, known.account);
  const account_holder_name = textOf(members, "account_holder_name");
  const bank_code = known.code.map((name) => textOf(members, name)).join("-");
  if (account_number === "" || account_holder_name === "" || bank_code === "") return null;
  const bank_name = textOf(members, "bank_name") || known.bank;
  return { network: known.network, bank_name, bank_code, account_number, account_holder_name };
}

/** Returns the payer's instructions, or null if the adapter cannot show them. */
export function instructionsOf({ next_action }: StripeIntent): Action | null {
  if (!next_action) return null;
  const {
    pix_display_qr_code: pix,
    promptpay_display_qr_code: promptpay,
    paynow_display_qr_code: paynow,
  } = next_action;
  const data = pix?.data ?? promptpay?.data ?? paynow?.data;
  if (data) return { type: "display_qr_code", data };
  const upi = next_action.upi_handle_redirect_or_display_qr_code;
  if (upi) return { type: "redirect_to_url", url: upi.hosted_instructions_url };
  const transfer = next_action.display_bank_transfer_instructions;
  const financial_addresses = transfer?.financial_addresses.flatMap((one) => addressOf(one) ?? []) ?? [];
  if (!transfer?.reference || financial_addresses.length === 0) return null;
  return { type: "display_bank_transfer_instructions", reference: transfer.reference, financial_addresses };
}

/** True if a part of a bank transfer has arrived. */
export function isPartlyFunded({ next_action, amount }: StripeIntent): boolean {
  const remaining = next_action?.display_bank_transfer_instructions?.amount_remaining ?? amount;
  return remaining < amount;
}
