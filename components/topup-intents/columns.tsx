import type { TopupIntentResource } from "@/server/contract/topup-intents";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { AmountLink } from "../lists/amount-link";
import type { ListColumn } from "../lists/list-column";
import { ReferenceText } from "../lists/reference-text";
import { formatAmount } from "../money/format-amount";
import { Age } from "../time/age";
import { StatusBadge } from "../ui/status-badge";

function SumText({ amount, currency }: { readonly amount: string; readonly currency: string }) {
  const texts = useTexts();
  return (
    <>
      {formatAmount(texts, amount, currency)} <span className="text-ink-soft">{currency}</span>
    </>
  );
}

/** `base` is the address below which each top-up has its page. */
export function topupColumns(texts: Texts, base: string): readonly ListColumn<TopupIntentResource>[] {
  return [
    {
      name: "amount",
      label: texts("topups.amount"),
      isNumeric: true,
      isFixed: true,
      className: "max-md:text-left",
      cell: ({ id, destination: { amount, currency } }) => (
        <AmountLink href={`${base}/${id}`} amount={amount} currency={currency} />
      ),
    },
    { name: "status", label: texts("topups.status"), cell: ({ status }) => <StatusBadge status={status} /> },
    {
      name: "source",
      label: texts("topups.payerSends"),
      isNumeric: true,
      isDetail: true,
      from: "lg",
      className: "figures",
      cell: ({ source: { amount, currency } }) => <SumText amount={amount} currency={currency} />,
    },
    {
      name: "credited_amount",
      label: texts("topups.credited"),
      isNumeric: true,
      isDetail: true,
      className: "figures",
      cell: ({ destination }) => <SumText amount={destination.credited_amount} currency={destination.currency} />,
    },
    {
      name: "merchant_reference",
      label: texts("topups.reference"),
      isWide: true,
      cell: (topup) => <ReferenceText text={topup.merchant_reference} />,
    },
    {
      name: "created_at",
      label: texts("topups.created"),
      isWide: true,
      className: "max-md:caption whitespace-nowrap",
      cell: (topup) => <Age iso={topup.created_at} />,
    },
  ];
}
