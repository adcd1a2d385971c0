"use client";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { DetailFrame } from "../intents/detail-frame";
import { usePollingInterval } from "../shell/live-changes";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { BACKGROUND, useTRPC } from "../trpc/client";
import { TextLink } from "../ui/text-link";

export function PaymentDetail({ id }: { readonly id: string }) {
  const texts = useTexts();
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
      list={{ path: "payments", label: texts("payments.payments") }}
      id={id}
      noun={texts("payments.payment")}
      amount={payment.amount}
      currency={payment.currency}
      status={payment.status}
      history={history}
      json={payment}
      facts={[
        [texts("payments.paymentMethod"), payment.payment_method],
        [texts("payments.country"), payment.country],
        [texts("payments.merchantReference"), payment.merchant_reference],
        [
          texts("payments.customer"),
          [customer?.name, customer?.email, customer?.reference].filter(Boolean).join(" · ") ||
            texts("payments.notProvided"),
        ],
        payment.description === undefined ? null : [texts("payments.description"), payment.description],
        payment.return_url === undefined ? null : [texts("payments.returnURL"), payment.return_url],
        [texts("payments.created"), <LocalTime key="created" iso={payment.created_at} />],
        payment.next_action === null
          ? null
          : [texts("payments.payerMustActUntil"), <LocalTime key="until" iso={payment.next_action.expires_at} />],
        payment.next_action === null
          ? null
          : [
              texts("payments.payersPage"),
              <TextLink key="page" href={`/pay/${id}`}>
                {texts("payments.open")}
              </TextLink>,
            ],
        payment.failure_code === null ? null : [texts("payments.failureCode"), payment.failure_code],
        payment.failure_message === null ? null : [texts("payments.failureMessage"), payment.failure_message],
      ]}
    />
  );
}

function isOver(status: string): boolean {
  return ["succeeded", "failed", "expired"].includes(status);
}
