"use client";
import { orderOf } from "@/server/domain/list-order";
import { PAYMENT_STATUSES } from "@/server/domain/payment-transitions";
import { useTexts } from "../i18n/use-texts";
import { IntentList } from "../lists/intent-list";
import { useListAddress } from "../lists/use-list-address";
import { useWatchedList } from "../lists/use-watched-list";
import { useShell } from "../shell/shell-context";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { paymentColumns } from "./columns";
import { PAYMENT_FIELDS, paymentInput } from "./list-fields";

export function PaymentList() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const address = useListAddress(PAYMENT_FIELDS);
  const input = { environment, ...paymentInput(address.filters) };
  const list = useWatchedList({
    page: trpc.paymentIntents.list.queryOptions({ ...input, ...address.order, ...address.place }),
    order: orderOf(address.order.sort),
    updates: (shown) => trpc.paymentIntents.watch.queryOptions({ ...input, shown }, BACKGROUND),
  });
  return (
    <IntentList
      title={texts("payments.payments")}
      about={texts("payments.paymentsAbout")}
      kind="payments"
      noun="payments"
      emptyText={texts("payments.noPayments")}
      address={address}
      list={list}
      statuses={PAYMENT_STATUSES}
      fields={PAYMENT_FIELDS}
      columns={paymentColumns(texts, `/${environment}/payments`)}
    />
  );
}
