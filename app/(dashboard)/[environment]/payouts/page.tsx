import { titled } from "@/app/page-texts";
import { PAYOUT_FIELDS, payoutInput } from "@/components/payout-intents/list-fields";
import { PayoutLinks } from "@/components/payout-intents/payout-links";
import { PayoutList } from "@/components/payout-intents/payout-list";
import { waitingIds } from "@/components/payout-intents/waiting-ids";
import { intentListPage, type ListPageProps } from "../intent-list-page";

export const generateMetadata = titled("pages.payouts");

export default function Page(props: ListPageProps) {
  return intentListPage(props, {
    kind: "payouts",
    areas: ["intents", "lists", "payouts", "recipients"],
    fields: PAYOUT_FIELDS,
    read: async ({ queryClient, trpc }, place, filters, permissions) => {
      const { environment } = place;
      const payouts = async () => {
        const input = { ...place, ...payoutInput(filters) };
        const { data } = await queryClient.query(trpc.payoutIntents.list.queryOptions(input));
        const ids = waitingIds(data);
        if (permissions.includes("decide_payouts") && ids.length > 0)
          await queryClient.query(trpc.payoutIntents.warnings.queryOptions({ environment, ids }));
      };
      const hasBalances = filters.queue !== undefined && permissions.includes("read_wallets");
      await Promise.all([payouts(), hasBalances && queryClient.query(trpc.wallets.list.queryOptions({ environment }))]);
    },
    list: ({ environment, permissions, texts }) => (
      <PayoutList
        links={
          <PayoutLinks environment={environment} mayCreate={permissions.includes("create_payouts")} texts={texts} />
        }
      />
    ),
  });
}
