// The contract's rules for list queries (interface §4.4, §4.5), written independently of the service.
import { invalid, isCountry, isMethodCode, isText } from "./oracle";
import { ENABLED, SOURCE_TYPES, STATUSES } from "./oracle-lists";
import { fill } from "./placeholders";
import type { Refusal } from "./table";

export type ListKind = keyof typeof STATUSES;

export const LISTS: Readonly<Record<ListKind, string>> = {
  payment: "/v1/payment_intents",
  payout: "/v1/payout_intents",
  topup: "/v1/topup_intents",
};
export const KINDS: readonly ListKind[] = ["payment", "payout", "topup"];

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:Z|[+-](\d\d):(\d\d))$/;

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** ISO 8601 with an offset, a real date from the year 1 on. A plus that decoded to a space counts as a plus. */
function isInstant(value: string): boolean {
  const parts = DATE_TIME.exec(value.replace(/ (\d\d:\d\d)$/, "+$1"))
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = parts;
  const days = month === 2 && !isLeap(year) ? 28 : (DAYS[month - 1] ?? 0);
  const isOnCalendar = year >= 1 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 59;
  const isOffset = offsetMinute <= 59 && offsetHour * 60 + offsetMinute <= 14 * 60;
  return isOnCalendar && isOffset;
}

/** Every single-valued parameter of the three lists; `status` is a list. */
const SINGLE: Readonly<Record<string, (value: string) => boolean>> = {
  country: isCountry,
  created_after: isInstant,
  created_before: isInstant,
  currency: (value) => ENABLED.has(value),
  /** In the tables a real cursor is a placeholder, and valid only unaltered. */
  cursor: (value) => /^\{\{(payment|payout|topup)_cursor\}\}$/.test(value),
  merchant_reference: isText(1, 255),
  limit: (value) => /^([1-9][0-9]?|100)$/.test(value),
};
const OF_KIND: Readonly<Record<ListKind, typeof SINGLE>> = {
  payment: { payment_method: isMethodCode },
  payout: {},
  topup: { source_type: (value) => SOURCE_TYPES.includes(value) },
};

/** The rejection of a query with one parameter, sent once or more often; null if the query is valid. */
export function judgeParameter(kind: ListKind, name: string, values: readonly string[]): Refusal | null {
  const known: readonly string[] = STATUSES[kind];
  if (name === "status" || name === "status[]") {
    const statuses = values.flatMap((value) => fill(value).split(","));
    return statuses.length <= 100 && statuses.every((status) => known.includes(status)) ? null : invalid("status");
  }
  const check = SINGLE[name] ?? OF_KIND[kind][name];
  if (!check) return null;
  return values.length === 1 && check(values[0] ?? "") ? null : invalid(name);
}

/** The path of a list with one parameter in its query, percent-encoded. */
export function listPath(kind: ListKind, name: string, values: readonly string[]): string {
  const query = values.map((value) => `${encodeParameter(name)}=${encodeParameter(value)}`).join("&");
  return `${LISTS[kind]}?${query}`;
}

/** Percent-encodes everything but unreserved characters and placeholders, which are safe once filled in. */
export function encodeParameter(text: string): string {
  return text
    .split(/(\{\{[a-z_]+(?::[^{}]*(?:\{\{[a-z_]+\}\}[^{}]*)?)?\}\})/)
    .map((part) => (/^\{\{[a-z_]+[:}]/.test(part) ? part : encodeURIComponent(part)))
    .join("");
}
