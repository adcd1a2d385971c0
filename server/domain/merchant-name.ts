// What a merchant is called, by its payers and its members.

/** In code points, after normalization. */
const LONGEST_NAME = 100;

/** Control, format and unassigned characters, line separators, and what no screen shows. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

export const MERCHANT_NAME_RULE = "must have 1 to 100 visible characters";

/** Returns the name with single spaces, or null if it may not be one. */
export function readMerchantName(typed: string): string | null {
  const name = typed.normalize("NFC").trim().replaceAll(/ +/g, " ");
  return name !== "" && !HIDDEN.test(name) && [...name].length <= LONGEST_NAME ? name : null;
}
