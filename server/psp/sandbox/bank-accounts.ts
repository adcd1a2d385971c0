// The fictitious bank accounts of the sandbox, in the format of each country.
import type { FinancialAddress } from "@/server/domain/next-action";
import { withClabeDigit, withCvuDigits, withIbanDigits, withNubanDigit } from "./check-digits";
import { digitsOf } from "./derive";

interface Style {
  readonly network: string;
  readonly bankName: string;
  readonly bankCode: string;
  accountNumber(digits: (length: number) => string): string;
}

const STYLES: Readonly<Record<string, Style>> = {
  MX_SPEI: {
    network: "SPEI",
    bankName: "STP",
    bankCode: "646",
    accountNumber: (digits) => withClabeDigit(`646180${digits(11)}`),
  },
  AR_CVU: {
    network: "CVU",
    bankName: "Sandbox PSPCP",
    bankCode: "0000990",
    accountNumber: (digits) => withCvuDigits("0000990", digits(13)),
  },
  ID_BCA_VA: {
    network: "BCA_VA",
    bankName: "Bank Central Asia",
    bankCode: "014",
    accountNumber: (digits) => `70012${digits(11)}`,
  },
  JP_BANK_TRANSFER: {
    network: "ZENGIN",
    bankName: "Sandbox Bank, branch 001",
    bankCode: "9990-001",
    accountNumber: (digits) => digits(7),
  },
  KR_VIRTUAL_ACCOUNT: {
    network: "KFTC",
    bankName: "Sandbox Bank",
    bankCode: "999",
    accountNumber: (digits) => digits(14),
  },
  NG_BANK_TRANSFER: {
    network: "NIP",
    bankName: "Sandbox Bank",
    bankCode: "999",
    accountNumber: (digits) => withNubanDigit("999", digits(9)),
  },
  GB_FASTER_PAYMENTS: {
    network: "FPS",
    bankName: "Sandbox Bank",
    bankCode: "04-00-75",
    accountNumber: (digits) => digits(8),
  },
  DE_SEPA_TRANSFER: {
    network: "SEPA",
    bankName: "Sandbox Bank",
    bankCode: "SBXBDEFFXXX",
    accountNumber: (digits) => withIbanDigits("DE", `50010517${digits(10)}`),
  },
};

/** Returns the account for one payment by bank transfer, or null for other methods. */
export function bankAccount(methodCode: string, reference: string): FinancialAddress | null {
  const style = STYLES[methodCode];
  if (!style) return null;
  return {
    network: style.network,
    bank_name: style.bankName,
    bank_code: style.bankCode,
    account_number: style.accountNumber((length) => digitsOf(reference, "account", length)),
    account_holder_name: "Sluice Sandbox",
  };
}
