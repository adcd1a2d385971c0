// Owns a sum that came or went: its sign is always written, and never told by the colour alone.
import { classNames } from "../ui/class-names";
import { formatAmount } from "./format-amount";

interface SignedAmountProps {
  /** Minor-unit text, led by "-" where it went. */
  readonly minorUnits: string;
  readonly currency: string;
}

export function SignedAmount({ minorUnits, currency }: SignedAmountProps) {
  const isOut = minorUnits.startsWith("-");
  return (
    <span className={classNames("figures whitespace-nowrap", !isOut && "text-good")}>
      {isOut ? "−" : "+"}
      {formatAmount(minorUnits.replace("-", ""), currency)}
    </span>
  );
}
