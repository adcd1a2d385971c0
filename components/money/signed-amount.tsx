// Owns a sum that came or went: its sign is always written, and never told by the colour alone.
import { classNames } from "../ui/class-names";
import { formatAmount } from "./format-amount";

/** A sum with its sign, nothing without one. */
export function signedText(minorUnits: string, currency: string): string {
  const text = formatAmount(minorUnits.replace("-", ""), currency);
  return minorUnits === "0" ? text : `${minorUnits.startsWith("-") ? "−" : "+"}${text}`;
}

interface SignedAmountProps {
  /** Minor-unit text, led by "-" where it went. */
  readonly minorUnits: string;
  readonly currency: string;
}

export function SignedAmount({ minorUnits, currency }: SignedAmountProps) {
  const isOut = minorUnits.startsWith("-");
  return (
    <span className={classNames("figures whitespace-nowrap", !isOut && "text-good")}>
      {signedText(minorUnits, currency)}
    </span>
  );
}
