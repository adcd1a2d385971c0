import { expect, it } from "vitest";
import { faultOfBankCode, faultOfCheckDigits, requirePlausibleAccount } from "./check-digits";

const fault = (accountNumber: string, country: string, currency: string) =>
  faultOfCheckDigits({ accountNumber, country, currency });

it.each([
  ["DE89 3704 0044 0532 0130 00", "DE", "EUR"],
  ["gb29-nwbk-6016-1331-9268-19", "GB", "GBP"],
  ["032180000118359719", "MX", "MXN"],
  ["5512345678", "MX", "MXN"],
  ["0001-123456789", "BR", "BRL"],
  ["AB12", "BR", "BRL"],
  ["DE12", "DE", "USD"],
])("%s of %s in %s passes", (number, country, currency) => expect(fault(number, country, currency)).toBeNull());

it.each([
  ["DE89370400440532013001", "DE", "EUR", "is not a valid IBAN: check its characters"],
  ["DE8937040044053201300", "DE", "EUR", "is not a valid IBAN: check its characters"],
  ["DE89370400440532013000", "NL", "EUR", "is an IBAN of DE, not of NL"],
  ["0532013000", "DE", "EUR", "must be an IBAN"],
  ["032180000118359718", "MX", "MXN", "is not a valid CLABE: check its digits"],
  ["032 180 00011835 9791", "MX", "MXN", "is not a valid CLABE: check its digits"],
])("%s of %s in %s %s", (number, country, currency, text) => expect(fault(number, country, currency)).toBe(text));

const CLABE = "032180000118359719";
const bankFault = (bankCode: string, country: string, accountNumber: string) =>
  faultOfBankCode({ accountNumber, bankCode, country, currency: "MXN" });

it.each([
  ["341", "BR", "0001-123456789"],
  ["60701190", "BR", "0001-123456789"],
  ["607-01190", "BR", "0001-123456789"],
  ["032", "MX", CLABE],
  ["40032", "MX", CLABE],
  ["BANAMEX", "MX", CLABE],
  ["002", "MX", "5512345678"],
  ["DEUTDEFF", "DE", "DE89370400440532013000"],
])("the bank code %s of %s passes", (code, country, number) => expect(bankFault(code, country, number)).toBeNull());

it.each([
  ["34", "BR", "0001-123456789", "must be a COMPE code of 3 digits, or an ISPB of 8"],
  ["ITAU", "BR", "0001-123456789", "must be a COMPE code of 3 digits, or an ISPB of 8"],
  ["012", "MX", CLABE, "is not the bank of the CLABE, which begins with 032"],
  ["40012", "MX", "0321 8000 0118 3597 19", "is not the bank of the CLABE, which begins with 032"],
])("the bank code %s of %s is rejected", (code, country, number, text) => {
  expect(bankFault(code, country, number)).toBe(text);
});

it("a rejection names the field where it is", () => {
  const account = { accountNumber: CLABE, bankCode: "012", country: "MX", currency: "MXN" };
  expect(() => requirePlausibleAccount(account, "recipient.")).toThrow(/^recipient\.bank_code is not the bank/);
  const wrong = { ...account, accountNumber: "032180000118359718" };
  expect(() => requirePlausibleAccount(wrong)).toThrow(/^account_number is not a valid CLABE/);
});
