// A credited or debited sum. The sign is always written, so that color alone carries no meaning.
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { classNames } from "../ui/class-names";
import { formatAmount } from "./format-amount";

/** A sum with its sign; no sign for zero. */
export function signedText(texts: Texts, minorUnits: string, currency: string): string {
  const text = formatAmount(texts, minorUnits.replace("-", ""), currency);
  return minorUnits === "0" ? text : `${minorUnits.startsWith("-") ? "−" : "+"}${text}`;
}

interface SignedAmountProps {
  /** Minor units; a debit begins with "-". */
  readonly minorUnits: string;
  readonly currency: string;
}

export function SignedAmount({ minorUnits, currency }: SignedAmountProps) {
  const texts = useTexts();
  const isOut = minorUnits.startsWith("-");
  return (
    <span className={classNames("figures whitespace-nowrap", !isOut && "text-good")}>
      {signedText(texts, minorUnits, currency)}
    </span>
  );
}
