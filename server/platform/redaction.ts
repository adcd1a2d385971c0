// The names of members that hold secrets, and JSON with their values redacted.

/** Names that hold secrets, in both spellings. */
export const SECRET_NAMES = [
  "authorization",
  "cookie",
  "password",
  "secret",
  "secrets",
  "secretKey",
  "secret_key",
  "accountNumber",
  "account_number",
  "databaseUrl",
];

export const CENSOR = "[hidden]";

/** Names that hold what is about a person. */
const PERSONAL_NAMES = [
  "name",
  "email",
  "phone",
  "address",
  "document",
  "holder_name",
  "account_holder_name",
  "pan",
  "cvv",
];

/** One spelling for all: `Account-Number`, `accountNumber` and `account_number` are the same name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

const HIDDEN: ReadonlySet<string> = new Set([...SECRET_NAMES, ...PERSONAL_NAMES].map(plain));

/** The value as JSON, at most `longest` characters of it; what stands under a secret or personal name is left out. */
export function redactedJson(value: unknown, longest: number): string {
  const text = JSON.stringify(value, (name, inner: unknown) => (HIDDEN.has(plain(name)) ? CENSOR : inner)) ?? "";
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}
