// Check digits of account numbers: Mexican CLABE, Argentine CVU, Nigerian NUBAN, IBAN.

function weighted(digits: string, weights: readonly number[]): number {
  return [...digits].reduce((sum, digit, index) => sum + Number(digit) * (weights[index % weights.length] ?? 0), 0);
}

function tensComplement(sum: number): string {
  return ((10 - (sum % 10)) % 10).toString();
}

/** An 18-digit CLABE from its first 17 digits (bank, place, account): each product is taken modulo 10. */
export function withClabeDigit(digits: string): string {
  const weights = [3, 7, 1];
  const sum = [...digits].reduce(
    (total, digit, index) => total + ((Number(digit) * (weights[index % 3] ?? 0)) % 10),
    0,
  );
  return digits + tensComplement(sum);
}

/** A 22-digit CVU or CBU from the 7 digits of its first block and the 13 of its second, without their check digits. */
export function withCvuDigits(first: string, second: string): string {
  const firstDigit = tensComplement(weighted(first, [7, 1, 3, 9]));
  return first + firstDigit + second + tensComplement(weighted(second, [3, 9, 7, 1]));
}

/** A 10-digit NUBAN account number from the 3-digit bank code, which it does not contain, and a 9-digit serial. */
export function withNubanDigit(bankCode: string, serial: string): string {
  return serial + tensComplement(weighted(bankCode + serial, [3, 7, 3]));
}

/** An IBAN from its country and national part, digits only, with the two check digits of ISO 7064 mod 97-10. */
export function withIbanDigits(country: string, national: string): string {
  const letters = [...country].map((letter) => (letter.charCodeAt(0) - 55).toString()).join("");
  const remainder = BigInt(`${national}${letters}00`) % 97n;
  return country + (98n - remainder).toString().padStart(2, "0") + national;
}
