// The magic amounts: how the last two digits of an amount drive the sandbox.

export type Magic =
  | "declined"
  | "instant"
  | "slow"
  | "silent"
  | "expired"
  | "duplicates"
  | "late_money"
  | "underpaid"
  | "overpaid"
  | "normal";

const BY_ENDING: Readonly<Record<string, Magic>> = {
  "1": "declined",
  "2": "instant",
  "3": "slow",
  "4": "silent",
  "5": "expired",
  "6": "duplicates",
  "7": "late_money",
  "8": "underpaid",
  "9": "overpaid",
};

/** Returns the behavior that an amount in minor units requests; `normal` if its last two digits are not magic. */
export function magicOf(amount: bigint): Magic {
  return BY_ENDING[(amount % 100n).toString()] ?? "normal";
}
