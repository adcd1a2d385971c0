// The amount that identifies a row. It links to the object's page and receives the focus of the keys J and K.

import Link from "next/link";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";

interface AmountLinkProps {
  readonly href: string;
  /** Minor units. */
  readonly amount: string;
  readonly currency: string;
}

export function AmountLink({ href, amount, currency }: AmountLinkProps) {
  const texts = useTexts();
  return (
    <Link
      href={href}
      prefetch={false}
      data-row-link=""
      className="figures rounded-sm font-semibold underline-offset-3 hover:underline max-md:text-base"
    >
      {formatAmount(texts, amount, currency)} <span className="font-medium text-ink-soft">{currency}</span>
    </Link>
  );
}
