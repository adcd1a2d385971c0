"use client";
import { orderOf } from "@/server/domain/list-order";
import { TOPUP_STATUSES } from "@/server/domain/topup-transitions";
import { useTexts } from "../i18n/use-texts";
import { IntentList } from "../lists/intent-list";
import { useListAddress } from "../lists/use-list-address";
import { useWatchedList } from "../lists/use-watched-list";
import { useShell } from "../shell/shell-context";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { topupColumns } from "./columns";
import { CreateButton } from "./create-button";
import { TOPUP_FIELDS, topupInput } from "./list-fields";

export function TopupList() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(TOPUP_FIELDS);
  const input = { environment, ...topupInput(address.filters) };
  const list = useWatchedList({
    page: trpc.topupIntents.list.queryOptions({ ...input, ...address.order, ...address.place }),
    order: orderOf(address.order.sort),
    updates: (shown) => trpc.topupIntents.watch.queryOptions({ ...input, shown }, BACKGROUND),
  });
  return (
    <IntentList
      title={texts("topups.topups")}
      about={texts("topups.topupsAbout")}
      kind="topups"
      noun="topups"
      emptyText={texts("topups.noTopups")}
      address={address}
      list={list}
      statuses={TOPUP_STATUSES}
      fields={TOPUP_FIELDS}
      actions={<CreateButton />}
      columns={topupColumns(texts, `/${environment}/topups`)}
    />
  );
}
