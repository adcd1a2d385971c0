// The names of members with secret or personal values, and JSON with these values redacted.

/** Names of secret members, in both spellings. */
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
  "databaseDirectUrl",
  "reportDatabaseUrl",
];

export const CENSOR = "[hidden]";

/** Names of personal members. */
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

/** Normalizes a name: `Account-Number`, `accountNumber` and `account_number` are the same. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

const HIDDEN: ReadonlySet<string> = new Set([...SECRET_NAMES, ...PERSONAL_NAMES].map(plain));

/** The answers about names that were asked before. The limits are for names that callers make up. */
const answers = new Map<string, boolean>();
const MOST_ANSWERS = 2_000;
const LONGEST_NAME = 64;

function isHidden(name: string): boolean {
  const known = answers.get(name);
  if (known !== undefined) return known;
  const answer = HIDDEN.has(plain(name));
  if (answers.size < MOST_ANSWERS && name.length <= LONGEST_NAME) answers.set(name, answer);
  return answer;
}

/** Returns at most `longest` characters of the value as JSON, with values under secret or personal names hidden. */
export function redactedJson(value: unknown, longest: number): string {
  const text = JSON.stringify(value, (name, inner: unknown) => (isHidden(name) ? CENSOR : inner)) ?? "";
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}
