// The members of an exception's detail as facts: sums as decimals, everything else as recorded.
import type { Texts } from "../i18n/dashboard-texts";
import { sumText } from "../money/sum-text";

type Detail = Readonly<Record<string, string | null>>;

/** The exception's own sum, which its page shows apart. */
const SHOWN_ELSEWHERE = new Set(["amount", "currency"]);
/** Releases before 0.2 recorded this sum in minor units, later ones as a decimal. */
const SUM_IN_MINOR_UNITS = /^our books have (\d+) ([A-Z]+)$/;

function labelOf(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function valueText(texts: Texts, detail: Detail, name: string, value: string): string {
  const currency = detail[name.replace(/amount$/, "currency")];
  if (name.endsWith("_amount") && currency) return sumText(texts, value, currency);
  return value.replace(SUM_IN_MINOR_UNITS, (_, amount: string, code: string) =>
    texts("exceptions.ourBooksHaveSum", { sum: sumText(texts, amount, code) }),
  );
}

/** Label and text of every recorded member, in their order; a sum and its currency are one fact. */
export function detailFacts(texts: Texts, detail: Detail): (readonly [label: string, value: string])[] {
  const isPartOfSum = (name: string) => name.endsWith("_currency") && detail[name.replace(/currency$/, "amount")];
  return Object.entries(detail).flatMap(([name, value]) =>
    value === null || SHOWN_ELSEWHERE.has(name) || isPartOfSum(name)
      ? []
      : [[labelOf(name), valueText(texts, detail, name, value)] as const],
  );
}
