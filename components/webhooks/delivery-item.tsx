"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, RotateCw } from "lucide-react";
import type { PresentedDelivery } from "@/server/trpc/present/delivery";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { type Fact, Facts } from "../intents/facts";
import { ObjectLink } from "../shell/object-link";
import { useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { LocalTime } from "../time/local-time";
import { TimeLeft } from "../time/time-left";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";
import { CodeBlock } from "../ui/code-block";
import { Notice } from "../ui/notice";
import { curlText } from "./curl-text";
import { DeliveryAttempt } from "./delivery-attempt";
import { answerText } from "./health-text";
import { DeliveryBadge } from "./state-badges";

interface DeliveryItemProps {
  readonly delivery: PresentedDelivery;
  /** The URL of its endpoint; null for a deleted one. */
  readonly url: string | null;
  readonly names: "event" | "endpoint";
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

/** A line that unfolds; its message and attempts are already loaded. */
export function DeliveryItem({ delivery, url, names, isChosen, onToggle }: DeliveryItemProps) {
  const texts = useTexts();
  const { event_id: eventId, event_type: type, intent_id: intentId, attempts, next_attempt_at: next } = delivery;
  const [newest] = attempts;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] border-b border-line bg-surface last:border-b-0">
      <span className={classNames("py-3.5 pl-4", isChosen && "bg-accent-soft")}>
        <input
          type="checkbox"
          aria-label={texts("webhooks.selectTypeEventId", { type, eventId })}
          checked={isChosen}
          onChange={onToggle}
          className="block size-6 accent-accent"
        />
      </span>
      <details className="group">
        <summary className="grid min-h-13 list-none grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm hover:bg-canvas sm:grid-cols-[auto_minmax(0,1fr)_auto] lg:grid-cols-[auto_minmax(0,1fr)_10rem_12rem_6rem] [&::-webkit-details-marker]:hidden">
          <ChevronRight
            className="size-4 shrink-0 text-ink-soft transition-transform duration-150 group-open:rotate-90"
            aria-hidden="true"
          />
          <span className="grid min-w-0 gap-0.5 font-mono text-xs">
            <span className="font-medium wrap-anywhere">
              {names === "event" ? type : (url ?? texts("webhooks.aDeletedEndpoint"))}
            </span>
            <span className="text-ink-soft wrap-anywhere">
              {names === "event" ? intentId : delivery.webhook_endpoint_id}
            </span>
          </span>
          <span className="text-xs text-ink-soft max-lg:order-last max-lg:col-start-2">
            {newest ? answerText(texts, newest.response_status, newest.error) : texts("webhooks.notSentYet")}
            {delivery.attempt_count > 1
              ? texts("webhooks.attemptCountAttempts", { attemptCount: delivery.attempt_count })
              : null}
          </span>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 max-sm:col-start-2">
            <DeliveryBadge state={delivery.state} />
            {next === null || !newest ? null : (
              <span className="text-xs text-ink-soft">
                {texts.rich("webhooks.retry", { timeLeft: () => <TimeLeft iso={next} isCalm /> })}
              </span>
            )}
          </span>
          <span className="text-right text-xs whitespace-nowrap text-ink-soft max-lg:hidden">
            <Age iso={delivery.created_at} />
          </span>
        </summary>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-4">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <div className="min-w-0 grow">
              <Facts facts={factsOf(texts, delivery, url)} />
            </div>
            <ResendButton delivery={delivery} />
          </div>
          <CodeBlock title={texts("webhooks.requestBody")} code={delivery.body} />
          {url === null ? null : (
            <details className="rounded-md border border-line">
              <summary className="min-h-9 px-3.5 py-2 text-sm font-medium hover:bg-canvas">
                {texts("webhooks.sendItWithCurl")}
              </summary>
              <div className="px-3.5 pb-3.5">
                <CodeBlock
                  title={texts("webhooks.signsItAgainNow")}
                  code={curlText({ url, eventId, body: delivery.body })}
                />
              </div>
            </details>
          )}
          {attempts.length === 0 ? <p className="text-sm">{texts("webhooks.noAttempts")}</p> : null}
          <ol className="grid gap-4">
            {attempts.map((attempt) => (
              <li key={attempt.ordinal}>
                <DeliveryAttempt attempt={attempt} />
              </li>
            ))}
          </ol>
        </div>
      </details>
    </div>
  );
}

function factsOf(texts: Texts, delivery: PresentedDelivery, url: string | null): (Fact | null)[] {
  const { event_id: eventId, intent_id: intentId, webhook_endpoint_id: endpointId, next_attempt_at: next } = delivery;
  return [
    [texts("webhooks.event"), <ObjectLink key="event" id={eventId} />],
    [texts("webhooks.about"), <ObjectLink key="about" id={intentId} />],
    [
      texts("webhooks.endpoint"),
      url === null ? (
        texts("webhooks.endpointIdDeleted", { endpointId })
      ) : (
        <ObjectLink key="endpoint" id={endpointId} />
      ),
    ],
    [
      texts("webhooks.delivery"),
      <span key="id" className="font-mono text-xs">
        {delivery.id}
      </span>,
    ],
    [texts("webhooks.created"), <LocalTime key="created" iso={delivery.created_at} />],
    next === null ? null : [texts("webhooks.nextAttempt"), <LocalTime key="next" iso={next} />],
  ];
}

function ResendButton({ delivery }: Pick<DeliveryItemProps, "delivery">) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const resend = useMutation(
    trpc.deliveries.resend.mutationOptions({
      onSuccess: () => announce(texts("webhooks.resendingOne", { eventType: delivery.event_type })),
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.deliveries.list.queryKey() }),
    }),
  );
  return (
    <div className="grid justify-items-end gap-2">
      <Button
        size="small"
        aria-label={texts("webhooks.resendOne", {
          eventType: delivery.event_type,
          eventId: delivery.event_id,
        })}
        aria-disabled={resend.isPending || undefined}
        onClick={() => resend.isPending || resend.mutate({ environment, id: delivery.id })}
      >
        <RotateCw className="size-4" aria-hidden="true" />
        {resend.isPending ? texts("webhooks.sending") : texts("webhooks.resend")}
      </Button>
      {resend.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, resend.error).message}
        </Notice>
      ) : null}
    </div>
  );
}
