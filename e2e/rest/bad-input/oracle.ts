// The contract's rules for request bodies, written independently of the service.
import { CATALOGUE, COUNTRIES, ENABLED, EVENT_TYPES, FUNDED, KNOWN_NETWORKS, TOKENS } from "./oracle-lists";
import { fill } from "./placeholders";
import type { Refusal } from "./table";

export type Operation = "payment" | "payout" | "topup" | "cancel" | "simulate" | "endpoint" | "advance";

/** 400 about a field; the message begins with its path. */
export function invalid(field: string): Refusal {
  return { status: 400, code: "validation_failed", field };
}

type Check = (value: unknown) => boolean;

export const isText =
  (minimum: number, maximum: number): Check =>
  (value) => {
    if (typeof value !== "string") return false;
    const text = fill(value);
    const length = [...text].length;
    return length >= minimum && length <= maximum && text.isWellFormed() && !text.includes("\0");
  };

const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(fill(value));

const isWholeNumber =
  (minimum: number, maximum: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum;

const isObject: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const isCountry: Check = (value) => typeof value === "string" && COUNTRIES.has(value);
export const isMethodCode = matches(/^[A-Z]{2}_[A-Z0-9_]{2,40}$/);
/** An unknown code of the right form is rejected for the same field as one that is not enabled. */
const isCurrency = matches(/^[A-Z]{3,6}$/);
const isAmount = matches(/^[1-9][0-9]{0,29}$/);

/** Null for all, or some of the catalogue, each once. */
const isEventTypes: Check = (value) => {
  if (value === null) return true;
  if (!Array.isArray(value) || value.length === 0) return false;
  return new Set(value).size === value.length && value.every((type) => EVENT_TYPES.includes(type as string));
};

interface Field {
  readonly path: string;
  readonly isRequired: boolean;
  readonly check: Check;
}

const required = (path: string, check: Check): Field => ({ path, isRequired: true, check });
const optional = (path: string, check: Check): Field => ({ path, isRequired: false, check });

/** Every field in the order of the contract: the error names the first invalid one. */
export const FIELDS: Readonly<Record<Operation, readonly Field[]>> = {
  payment: [
    required("amount", isAmount),
    required("currency", isCurrency),
    required("country", isCountry),
    required("payment_method", isMethodCode),
    required("merchant_reference", isText(1, 255)),
    optional("customer", isObject),
    optional("customer.name", isText(0, 255)),
    optional("customer.email", isText(0, 255)),
    optional("customer.reference", isText(0, 255)),
    optional("description", isText(1, 200)),
    optional("return_url", matches(/^https?:\/\/shop\.example\/[a-z0-9/]*$/)),
  ],
  payout: [
    required("amount", isAmount),
    required("currency", isCurrency),
    required("country", isCountry),
    required("merchant_reference", isText(1, 255)),
    required("recipient", isObject),
    required("recipient.type", (value) => value === "bank_account"),
    required("recipient.account_number", matches(/^[A-Za-z0-9][A-Za-z0-9 ./-]{3,62}[A-Za-z0-9]$/)),
    required("recipient.bank_code", isText(1, 64)),
    required("recipient.holder_name", isText(1, 255)),
  ],
  topup: [
    required("destination", isObject),
    required("destination.amount", isAmount),
    required("destination.currency", isCurrency),
    required("source", isObject),
    required("source.type", (value) => value === "provider_gateway"),
    optional("source.provider", isText(1, 64)),
    required("source.currency", isCurrency),
    optional("source.network", isText(1, 64)),
    required("country", isCountry),
    optional("merchant_reference", isText(1, 255)),
  ],
  cancel: [optional("reason", isText(0, 512))],
  endpoint: [
    // Other tests cover which addresses are allowed; here only one text is valid.
    required("url", matches(/^https:\/\/93\.184\.215\.14\/hooks$/)),
    optional("description", isText(0, 255)),
    optional("event_types", isEventTypes),
  ],
  simulate: [
    required("id", (value) => typeof value === "string"),
    required("outcome", (value) => typeof value === "string"),
  ],
  advance: [required("advance_seconds", isWholeNumber(1, 34_560_000))],
};

/** The value at a dotted path, or undefined. Ignores inherited members. */
export function valueAt(body: unknown, path: string): unknown {
  let current = body;
  for (const part of path.split(".")) {
    if (!isObject(current) || !Object.hasOwn(current as object, part)) return undefined;
    current = (current as Record<string, unknown>)[part];
  }
  return current;
}

function faultyField(operation: Operation, body: unknown): string | null {
  if (!isObject(body)) return "body";
  const faulty = FIELDS[operation].find(({ path, isRequired, check }) => {
    const value = valueAt(body, path);
    return value === undefined ? isRequired : !check(value);
  });
  return faulty?.path ?? null;
}

/** The text at a path, filled in. An earlier check has rejected anything but text. */
function text(body: unknown, path: string): string {
  const value = valueAt(body, path);
  return typeof value === "string" ? fill(value) : "";
}

/** At most 15 digits for ISO 4217 currencies, 30 for tokens. */
function hasTooManyDigits(amount: string, currency: string): boolean {
  return !TOKENS.has(currency) && amount.length > 15;
}

function paymentMeaning(body: unknown): string | null {
  const method = CATALOGUE.get(text(body, "payment_method"));
  if (!ENABLED.has(text(body, "currency"))) return "currency";
  if (!method || method.country !== text(body, "country")) return "payment_method";
  if (method.currency !== text(body, "currency")) return "currency";
  return hasTooManyDigits(text(body, "amount"), method.currency) ? "amount" : null;
}

function topupMeaning(body: unknown): string | null {
  const [amount, currency] = [text(body, "destination.amount"), text(body, "destination.currency")];
  const [network, provider] = [text(body, "source.network"), text(body, "source.provider")];
  if (!ENABLED.has(currency)) return "destination.currency";
  if (!TOKENS.has(text(body, "source.currency"))) return "source.currency";
  if (hasTooManyDigits(amount, currency)) return "destination.amount";
  if (provider !== "" && provider !== "sandbox") return "source.provider";
  return network === "" || KNOWN_NETWORKS.has(network) ? null : "source.network";
}

function payoutRefusal(body: unknown): Refusal | null {
  const [amount, currency] = [text(body, "amount"), text(body, "currency")];
  if (!ENABLED.has(currency)) return invalid("currency");
  if (hasTooManyDigits(amount, currency)) return invalid("amount");
  const isShort = BigInt(amount) > (FUNDED.get(currency) ?? 0n);
  return isShort ? { status: 422, code: "insufficient_balance" } : null;
}

/** The rejection of a JSON body with valid credentials, route and key; null if the body is valid. */
export function judgeBody(operation: Operation, body: unknown): Refusal | null {
  const field = faultyField(operation, body);
  if (field) return invalid(field);
  if (operation === "payout") return payoutRefusal(body);
  const meaning = operation === "payment" ? paymentMeaning(body) : operation === "topup" ? topupMeaning(body) : null;
  return meaning ? invalid(meaning) : null;
}
