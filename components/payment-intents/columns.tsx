import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { Texts } from "../i18n/dashboard-texts";
import { AmountLink } from "../lists/amount-link";
import type { ListColumn } from "../lists/list-column";
import { ReferenceText } from "../lists/reference-text";
import { Age } from "../time/age";
import { StatusBadge } from "../ui/status-badge";

/** `base` is the address below which each payment has its page. */
export function paymentColumns(texts: Texts, base: string): readonly ListColumn<PaymentIntentResource>[] {
  return [
    {
      name: "amount",
      label: texts("payments.amount"),
      isNumeric: true,
      isFixed: true,
      className: "max-md:text-left",
      cell: ({ id, amount, currency }) => <AmountLink href={`${base}/${id}`} amount={amount} currency={currency} />,
    },
    { name: "status", label: texts("payments.status"), cell: ({ status }) => <StatusBadge status={status} /> },
    { name: "payment_method", label: texts("payments.method"), cell: (payment) => payment.payment_method },
    { name: "country", label: texts("payments.country"), isDetail: true, from: "lg", cell: ({ country }) => country },
    {
      name: "merchant_reference",
      label: texts("payments.reference"),
      isWide: true,
      cell: (payment) => <ReferenceText text={payment.merchant_reference} />,
    },
    {
      name: "failure_code",
      label: texts("payments.failure"),
      isDetail: true,
      from: "lg",
      cell: (payment) => payment.failure_code ?? "",
    },
    {
      name: "created_at",
      label: texts("payments.created"),
      isWide: true,
      className: "max-md:caption whitespace-nowrap",
      cell: (payment) => <Age iso={payment.created_at} />,
    },
  ];
}
