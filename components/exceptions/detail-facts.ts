// The members of an exception's detail as facts: sums as decimals, everything else as recorded.
import type { Texts } from "../i18n/dashboard-texts";
import { sumText } from "../money/sum-text";

type Detail = Readonly<Record<string, string | null>>;

/** The exception's own sum, which its page shows apart. */
const SHOWN_ELSEWHERE = new Set(["amount", "currency"]);

const NAMES = [
  "why",
  "reason",
  "provider",
  "reference",
  "reported",
  "provider_amount",
  "reported_amount",
  "provider_reference",
  "receipt_id",
  "screening_reference",
  "booked_to",
  "policy",
  "file",
  "line_id",
  "transaction",
  "booked_at",
  "callback",
] as const;

/** A member that this version does not know is shown by its name. */
function labelOf(texts: Texts, name: string): string {
  const known = NAMES.find((one) => one === name);
  if (known !== undefined) return texts(`exceptions.detail_${known}`);
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function valueText(texts: Texts, detail: Detail, name: string, value: string): string {
  const currency = detail[name.replace(/amount$/, "currency")];
  return name.endsWith("_amount") && currency ? sumText(texts, value, currency) : value;
}

/** Label and text of every recorded member, in their order; a sum and its currency are one fact. */
export function detailFacts(texts: Texts, detail: Detail): (readonly [label: string, value: string])[] {
  const isPartOfSum = (name: string) => name.endsWith("_currency") && detail[name.replace(/currency$/, "amount")];
  return Object.entries(detail).flatMap(([name, value]) =>
    value === null || SHOWN_ELSEWHERE.has(name) || isPartOfSum(name)
      ? []
      : [[labelOf(texts, name), valueText(texts, detail, name, value)] as const],
  );
}
