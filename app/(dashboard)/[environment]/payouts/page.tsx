import { titled } from "@/app/page-texts";
import { PAYOUT_FIELDS, payoutInput } from "@/components/payout-intents/list-fields";
import { PayoutLinks } from "@/components/payout-intents/payout-links";
import { PayoutList } from "@/components/payout-intents/payout-list";
import { intentListPage, type ListPageProps } from "../intent-list-page";

export const generateMetadata = titled("pages.payouts");

export default function Page(props: ListPageProps) {
  return intentListPage(props, {
    kind: "payouts",
    areas: ["intents", "lists", "payouts", "recipients"],
    fields: PAYOUT_FIELDS,
    read: ({ queryClient, trpc }, place, filters) =>
      queryClient.query(trpc.payoutIntents.list.queryOptions({ ...place, ...payoutInput(filters) })),
    list: ({ environment, permissions, texts }) => (
      <PayoutList
        links={
          <PayoutLinks environment={environment} mayCreate={permissions.includes("create_payouts")} texts={texts} />
        }
      />
    ),
  });
}
