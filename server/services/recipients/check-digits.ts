// Check digits of account numbers, and the form of bank codes: they find most typing errors before money is sent.
import { clabe } from "clabe-validator";
import { countrySpecs, isSEPACountry, isValidIBAN } from "ibantools";
import { validationError } from "@/server/domain/errors";

interface TypedAccount {
  readonly accountNumber: string;
  readonly bankCode: string;
  readonly country: string;
  readonly currency: string;
}

/** The shortest IBAN, Norway's. */
const SHORTEST_IBAN = 15;
const CLABE_DIGITS = 18;
/** What says that a number is no CLABE; an unknown bank or city may be newer than the library. */
const CLABE_ERRORS: readonly (string | null)[] = ["invalid-length", "invalid-characters", "invalid-checksum"];

/** Throws validation_failed for a wrong account number or bank code; `place` is where the fields are. */
export function requirePlausibleAccount(account: TypedAccount, place: "" | "recipient." = ""): void {
  const fault = faultOfCheckDigits(account);
  if (fault !== null) throw validationError(`${place}account_number`, fault);
  const bankFault = faultOfBankCode(account);
  if (bankFault !== null) throw validationError(`${place}bank_code`, bankFault);
}

/** Brazil's COMPE code of three digits, or the ISPB of eight. */
const BRAZILIAN_BANK = /^(?:\d{3}|\d{8})$/;

/**
 * Returns what is wrong with a bank code, to follow its field's name, or null. The first three digits of a CLABE are the
 * bank's; its codes of five digits end in them.
 */
export function faultOfBankCode({ accountNumber, bankCode, country }: TypedAccount): string | null {
  const compact = bankCode.replace(/[\s-]/g, "");
  if (country === "BR" && !BRAZILIAN_BANK.test(compact)) return "must be a COMPE code of 3 digits, or an ISPB of 8";
  const digits = accountNumber.replace(/\D/g, "");
  if (country !== "MX" || digits.length !== CLABE_DIGITS || !/^\d{3}(?:\d{2})?$/.test(compact)) return null;
  return compact.endsWith(digits.slice(0, 3))
    ? null
    : `is not the bank of the CLABE, which begins with ${digits.slice(0, 3)}`;
}

/**
 * Returns what is wrong with an account number, to follow its field's name, or null. An IBAN must be valid and of the
 * country; an account in euros in a SEPA country must be one. A Mexican number of 18 digits must be a valid CLABE. Numbers
 * of other countries have no check digits that are the same at all banks.
 */
export function faultOfCheckDigits({
  accountNumber,
  country,
  currency,
}: Omit<TypedAccount, "bankCode">): string | null {
  const compact = accountNumber.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
  if (hasFormOfIban(compact)) {
    if (!isValidIBAN(compact)) return "is not a valid IBAN: check its characters";
    const place = compact.slice(0, 2);
    return place === country ? null : `is an IBAN of ${place}, not of ${country}`;
  }
  if (currency === "EUR" && isSEPACountry(country)) return "must be an IBAN";
  if (country !== "MX" || !/^\d+$/.test(compact) || compact.length !== CLABE_DIGITS) return null;
  return CLABE_ERRORS.includes(clabe.validate(compact).error) ? "is not a valid CLABE: check its digits" : null;
}

function hasFormOfIban(compact: string): boolean {
  const isOfRegistry = countrySpecs[compact.slice(0, 2)]?.IBANRegistry === true;
  return isOfRegistry && compact.length >= SHORTEST_IBAN && /^[A-Z]{2}\d{2}/.test(compact);
}
