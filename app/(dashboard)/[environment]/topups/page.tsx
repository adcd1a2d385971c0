import { titled } from "@/app/page-texts";
import { TOPUP_FIELDS, topupInput } from "@/components/topup-intents/list-fields";
import { TopupList } from "@/components/topup-intents/topup-list";
import { intentListPage, type ListPageProps } from "../intent-list-page";

export const generateMetadata = titled("pages.topups");

export default function Page(props: ListPageProps) {
  return intentListPage(props, {
    kind: "topups",
    areas: ["copy", "lists", "topups"],
    fields: TOPUP_FIELDS,
    read: ({ queryClient, trpc }, place, filters) =>
      queryClient.query(trpc.topupIntents.list.queryOptions({ ...place, ...topupInput(filters) })),
    list: () => <TopupList />,
  });
}
