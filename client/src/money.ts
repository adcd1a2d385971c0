// Amounts: bigints of minor units in the program, decimal strings on the wire. 10.50 BRL is 1050n.

/** The members of requests and answers that are amounts. */
export const MONEY_MEMBERS = [
  "amount",
  "available",
  "credited_amount",
  "fee_amount",
  "held",
  "maximum_amount",
  "minimum_amount",
  "spread_amount",
] as const;

type MoneyMember = (typeof MONEY_MEMBERS)[number];

/** A type of the OpenAPI document with its amounts as bigints. */
export type WithMoney<Wire> = Wire extends readonly (infer Element)[]
  ? WithMoney<Element>[]
  : Wire extends object
    ? { [Name in keyof Wire]: Name extends MoneyMember ? bigint | Exclude<Wire[Name], string> : WithMoney<Wire[Name]> }
    : Wire;

const NAMES: ReadonlySet<string> = new Set(MONEY_MEMBERS);
const DIGITS = /^[0-9]+$/;

/** Parses an answer; its amounts become bigints. Throws SyntaxError if it is not JSON. */
export function parseAnswer(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) =>
    NAMES.has(name) && typeof value === "string" && DIGITS.test(value) ? BigInt(value) : value,
  );
}

/** Writes a value as JSON with its bigints as decimal strings, such as a request or an intent for a log. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? member.toString() : member));
}
