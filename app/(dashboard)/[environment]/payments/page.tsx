import { titled } from "@/app/page-texts";
import { PAYMENT_FIELDS, paymentInput } from "@/components/payment-intents/list-fields";
import { PaymentList } from "@/components/payment-intents/payment-list";
import { intentListPage, type ListPageProps } from "../intent-list-page";

export const generateMetadata = titled("pages.payments");

export default function Page(props: ListPageProps) {
  return intentListPage(props, {
    kind: "payments",
    areas: ["lists", "payments"],
    fields: PAYMENT_FIELDS,
    read: ({ queryClient, trpc }, place, filters) =>
      queryClient.query(trpc.paymentIntents.list.queryOptions({ ...place, ...paymentInput(filters) })),
    list: () => <PaymentList />,
  });
}
