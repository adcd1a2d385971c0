"use client";
import { useQuery } from "@tanstack/react-query";
import { DetailFrame } from "../intents/detail-frame";
import { usePollingInterval } from "../shell/live-changes";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { TextLink } from "../ui/text-link";

export function PaymentDetail({ id }: { readonly id: string }) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const pollingInterval = usePollingInterval();
  const { data } = useQuery({
    ...trpc.paymentIntents.get.queryOptions({ environment, id }, BACKGROUND),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.payment.status) ? false : pollingInterval),
  });
  if (!data) return null;
  const { payment, customer, history } = data;
  return (
    <DetailFrame
      list={{ path: "payments", label: "Payments" }}
      id={id}
      noun="Payment"
      amount={payment.amount}
      currency={payment.currency}
      status={payment.status}
      history={history}
      json={payment}
      facts={[
        ["Payment method", payment.payment_method],
        ["Country", payment.country],
        ["Merchant reference", payment.merchant_reference],
        [
          "Customer",
          [customer?.name, customer?.email, customer?.reference].filter(Boolean).join(" · ") || "Not provided",
        ],
        payment.description === undefined ? null : ["Description", payment.description],
        payment.return_url === undefined ? null : ["Return URL", payment.return_url],
        ["Created", <LocalTime key="created" iso={payment.created_at} />],
        payment.next_action === null
          ? null
          : ["Payer must act until", <LocalTime key="until" iso={payment.next_action.expires_at} />],
        payment.next_action === null
          ? null
          : [
              "Payer's page",
              <TextLink key="page" href={`/pay/${id}`}>
                Open
              </TextLink>,
            ],
        payment.failure_code === null ? null : ["Failure code", payment.failure_code],
        payment.failure_message === null ? null : ["Failure message", payment.failure_message],
      ]}
    />
  );
}

function isOver(status: string): boolean {
  return ["succeeded", "failed", "expired"].includes(status);
}
