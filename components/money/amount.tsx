import { useTexts } from "../i18n/use-texts";
import { classNames } from "../ui/class-names";
import { formatAmount } from "./format-amount";

interface AmountProps {
  /** Minor units, as on the wire. */
  readonly minorUnits: string;
  readonly currency: string;
  readonly size?: "display" | "text";
}

/** The exact amount; it breaks only between digits and currency code. */
export function Amount({ minorUnits, currency, size = "text" }: AmountProps) {
  const texts = useTexts();
  const isDisplay = size === "display";
  return (
    <span className={classNames("figures", isDisplay && "text-3xl font-semibold tracking-tight")}>
      <span className="wrap-anywhere">{formatAmount(texts, minorUnits, currency)}</span>{" "}
      <span className={classNames(isDisplay && "text-xl font-medium tracking-normal text-ink-soft")}>{currency}</span>
    </span>
  );
}
